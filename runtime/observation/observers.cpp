// Calling observers in turn, up to the first that has a problem; from there on only those that
// other ranks have too.
#include "runtime/observation/observer.hpp"

#include <algorithm>
#include <type_traits>

#include "runtime/execution/position.hpp"

namespace lbann::runtime {

namespace {

/// Calls an observer, at its words.
template <class Call>
auto at(std::string const& words, Call call) {
  position().store(words.c_str(), std::memory_order_relaxed);
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    position().store(nullptr, std::memory_order_relaxed);
  } else {
    auto result = call();
    position().store(nullptr, std::memory_order_relaxed);
    return result;
  }
}

}  // namespace

template <class Call>
Result<Success> Observers::each(Call call) {
  Result<Success> result = Success{};
  for (auto const& one : all_) {
    if (!result && !one.observer->on_every_rank()) continue;
    auto done = at(one.words, [&] { return call(*one.observer); });
    if (result) result = std::move(done);
  }
  return result;
}

void Observers::add(std::unique_ptr<Observer> observer, std::string words) {
  auto& added = all_.emplace_back(std::move(observer), std::move(words));
  if (added.observer->observes_steps()) of_steps_.push_back(all_.size() - 1);
}

bool Observers::failed_check() const {
  return std::ranges::any_of(all_, [](auto const& one) { return one.observer->failed_check(); });
}

bool Observers::wants_finite_check() const {
  return std::ranges::any_of(all_,
                             [](auto const& one) { return one.observer->wants_finite_check(); });
}

Result<Success> Observers::prepare(Probe& probe) {
  return each([&](Observer& observer) { return observer.prepare(probe); });
}

Result<Success> Observers::train_begin() {
  return each([](Observer& observer) { return observer.train_begin(); });
}

Result<Success> Observers::epoch_begin(std::int64_t epoch) {
  return each([&](Observer& observer) { return observer.epoch_begin(epoch); });
}

void Observers::step_begin(std::int64_t step) {
  for (auto index : of_steps_) {
    auto const& one = all_[index];
    at(one.words, [&] { one.observer->step_begin(step); });
  }
}

Result<Success> Observers::step_end(StepResult const& step) {
  for (auto index : of_steps_) {
    auto const& one = all_[index];
    if (auto done = at(one.words, [&] { return one.observer->step_end(step); }); !done) return done;
  }
  return Success{};
}

bool Observers::reads(StepPlace const& place) const {
  return std::ranges::any_of(all_, [&](auto const& one) { return one.observer->reads(place); });
}

Result<Success> Observers::read(StepPlace const& place) {
  return each(
      [&](Observer& observer) { return observer.reads(place) ? observer.read(place) : Success{}; });
}

Result<Success> Observers::phase_end(PhaseResult const& phase) {
  return each([&](Observer& observer) { return observer.phase_end(phase); });
}

Result<Success> Observers::train_end() {
  return each([](Observer& observer) { return observer.train_end(); });
}

bool Observers::want_stop() const {
  return std::ranges::any_of(all_, [](auto const& one) { return one.observer->wants_stop(); });
}

std::filesystem::path RunView::model_folder(std::filesystem::path const& folder) const {
  return trainers == 1 ? work_directory.parent_path() / folder : trainer_folder(folder);
}

std::filesystem::path RunView::trainer_folder(std::filesystem::path const& folder) const {
  auto const base =
      trainers == 1 ? work_directory.parent_path() : work_directory.parent_path().parent_path();
  return base / folder / ("trainer" + std::to_string(trainer));
}

std::string line_start(RunView const& run, PhaseResult const& phase) {
  auto const start = run.plan.experiment + " (instance " + std::to_string(run.trainer) + ") ";
  switch (phase.mode) {
    case ExecutionMode::training:
      return start + "training epoch " + std::to_string(phase.epoch);
    case ExecutionMode::validation:
      return start + "validation";
    case ExecutionMode::testing:
      break;
  }
  return start + "test";
}

}  // namespace lbann::runtime
