// Calling observers in turn, up to the first that has a problem; from there on only those that
// other ranks have too.
#include "runtime/observation/observer.hpp"

#include <algorithm>

namespace lbann::runtime {

namespace {

template <class Call>
Result<Success> each(std::vector<std::unique_ptr<Observer>> const& observers, Call call) {
  Result<Success> result = Success{};
  for (auto const& observer : observers) {
    if (!result && !observer->on_every_rank()) continue;
    auto done = call(*observer);
    if (result) result = std::move(done);
  }
  return result;
}

}  // namespace

void Observers::add(std::unique_ptr<Observer> observer) {
  if (observer->observes_steps()) of_steps_.push_back(observer.get());
  all_.push_back(std::move(observer));
}

bool Observers::failed_check() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](auto const& observer) { return observer->failed_check(); });
}

bool Observers::wants_finite_check() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](auto const& observer) { return observer->wants_finite_check(); });
}

Result<Success> Observers::prepare(Probe& probe) {
  return each(all_, [&](Observer& observer) { return observer.prepare(probe); });
}

Result<Success> Observers::train_begin() {
  return each(all_, [](Observer& observer) { return observer.train_begin(); });
}

Result<Success> Observers::epoch_begin(std::int64_t epoch) {
  return each(all_, [&](Observer& observer) { return observer.epoch_begin(epoch); });
}

bool Observers::reads(StepPlace const& place) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](auto const& observer) { return observer->reads(place); });
}

Result<Success> Observers::read(StepPlace const& place) {
  return each(all_, [&](Observer& observer) {
    return observer.reads(place) ? observer.read(place) : Success{};
  });
}

Result<Success> Observers::phase_end(PhaseResult const& phase) {
  return each(all_, [&](Observer& observer) { return observer.phase_end(phase); });
}

Result<Success> Observers::train_end() {
  return each(all_, [](Observer& observer) { return observer.train_end(); });
}

bool Observers::want_stop() const {
  return std::ranges::any_of(all_, [](auto const& observer) { return observer->wants_stop(); });
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
