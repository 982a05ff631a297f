// Calling callbacks and controllers in turn.
#include "runtime/callbacks/callbacks.hpp"

#include <algorithm>
#include <type_traits>

#include "runtime/process/position.hpp"

namespace lbann::runtime {

namespace {

/// Calls one, with its description as the position.
template <class Call>
auto at(std::string const& description, Call call) {
  position().store(description.c_str(), std::memory_order_relaxed);
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    position().store(nullptr, std::memory_order_relaxed);
  } else {
    auto result = call();
    position().store(nullptr, std::memory_order_relaxed);
    return result;
  }
}

/// Calls all, in their order, until one has a problem; from then on only those with
/// `on_every_rank`.
template <class Named, class Call>
void each(std::vector<Named> const& all, Result<Success>& result, Call const& call) {
  for (auto const& one : all) {
    if (!result && !one.object->on_every_rank()) continue;
    auto done = at(one.description, [&] { return call(*one.object); });
    if (result) result = std::move(done);
  }
}

}  // namespace

void Callbacks::add(std::unique_ptr<Callback> callback, std::string description) {
  if (callback->observes_steps()) of_steps_.push_back(callbacks_.size());
  callbacks_.push_back({std::move(callback), std::move(description)});
}

void Callbacks::add(std::unique_ptr<Controller> controller, std::string description) {
  controllers_.push_back({std::move(controller), std::move(description)});
}

bool Callbacks::failed_check() const {
  return std::ranges::any_of(callbacks_,
                             [](auto const& one) { return one.object->failed_check(); });
}

bool Callbacks::wants_finite_check() const {
  return std::ranges::any_of(callbacks_,
                             [](auto const& one) { return one.object->wants_finite_check(); });
}

Result<Success> Callbacks::prepare(Probe& probe) {
  Result<Success> result = Success{};
  each(callbacks_, result, [&](Callback& callback) { return callback.prepare(probe); });
  return result;
}

Result<Success> Callbacks::train_begin(Executor& executor) {
  Result<Success> result = Success{};
  each(controllers_, result, [&](Controller& one) { return one.train_begin(executor); });
  each(callbacks_, result, [](Callback& callback) { return callback.train_begin(); });
  return result;
}

Result<Success> Callbacks::epoch_begin(std::int64_t epoch) {
  Result<Success> result = Success{};
  each(callbacks_, result, [&](Callback& callback) { return callback.epoch_begin(epoch); });
  return result;
}

void Callbacks::step_begin(std::int64_t step) {
  for (auto index : of_steps_) {
    auto const& one = callbacks_[index];
    at(one.description, [&] { one.object->step_begin(step); });
  }
}

Result<Success> Callbacks::step_end(StepResult const& step) {
  for (auto index : of_steps_) {
    auto const& one = callbacks_[index];
    if (auto done = at(one.description, [&] { return one.object->step_end(step); }); !done)
      return done;
  }
  return Success{};
}

bool Callbacks::reads(Iteration const& iteration) const {
  return std::ranges::any_of(callbacks_,
                             [&](auto const& one) { return one.object->reads(iteration); });
}

Result<Success> Callbacks::read(Iteration const& iteration) {
  Result<Success> result = Success{};
  each(callbacks_, result, [&](Callback& callback) {
    return callback.reads(iteration) ? callback.read(iteration) : Success{};
  });
  return result;
}

Result<Success> Callbacks::phase_end(PhaseResult const& phase) {
  Result<Success> result = Success{};
  each(callbacks_, result, [&](Callback& callback) { return callback.phase_end(phase); });
  each(controllers_, result, [&](Controller& one) { return one.phase_end(phase); });
  return result;
}

Result<Success> Callbacks::finish_training(Executor& executor, bool signalled) {
  Result<Success> result = Success{};
  each(controllers_, result,
       [&](Controller& one) { return one.finish_training(executor, signalled); });
  return result;
}

Result<Success> Callbacks::train_end() {
  Result<Success> result = Success{};
  each(callbacks_, result, [](Callback& callback) { return callback.train_end(); });
  each(controllers_, result, [](Controller& one) { return one.train_end(); });
  return result;
}

Result<Success> Callbacks::run_end() {
  Result<Success> result = Success{};
  each(controllers_, result, [](Controller& one) { return one.run_end(); });
  return result;
}

bool Callbacks::want_stop() const {
  return std::ranges::any_of(controllers_,
                             [](auto const& one) { return one.object->wants_stop(); });
}

std::filesystem::path CallbackContext::model_folder(std::filesystem::path const& folder) const {
  return trainers == 1 ? work_directory.parent_path() / folder : trainer_folder(folder);
}

std::filesystem::path CallbackContext::trainer_folder(std::filesystem::path const& folder) const {
  auto const base =
      trainers == 1 ? work_directory.parent_path() : work_directory.parent_path().parent_path();
  return base / folder / ("trainer" + std::to_string(trainer));
}

std::string line_start(CallbackContext const& run, PhaseResult const& phase) {
  auto const start = run.plan.experiment + " (instance " + std::to_string(run.trainer) + ") ";
  switch (phase.mode) {
    case ExecutionMode::training:
      return start + "training epoch " + std::to_string(phase.epoch);
    case ExecutionMode::validation:
      return start + "validation";
    case ExecutionMode::testing:
    case ExecutionMode::tournament:
      break;
  }
  return start + "test";
}

}  // namespace lbann::runtime
