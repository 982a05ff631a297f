// Calling callbacks and controllers in turn.
#include "runtime/callbacks/callbacks.hpp"

#include <algorithm>
#include <map>
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
  if (callback->observes_iterations()) of_iterations_.push_back(callbacks_.size());
  if (callback->observes_instructions()) of_instructions_.push_back(callbacks_.size());
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

bool Callbacks::keep_weights() const {
  auto const keeps = [](auto const& one) { return one.object->keeps_weights(); };
  return std::ranges::any_of(callbacks_, keeps) || std::ranges::any_of(controllers_, keeps);
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

void Callbacks::iteration_begin(Iteration const& iteration) {
  for (auto index : of_iterations_) callbacks_[index].object->iteration_begin(iteration);
}

void Callbacks::iteration_end(Iteration const& iteration) {
  for (auto index : of_iterations_) callbacks_[index].object->iteration_end(iteration);
}

void Callbacks::instruction_begin(BoundEntry const& entry, BoundEntry::Step const& step) {
  for (auto index : of_instructions_) callbacks_[index].object->instruction_begin(entry, step);
}

void Callbacks::instruction_end(BoundEntry const& entry, BoundEntry::Step const& step) {
  for (auto index : of_instructions_) callbacks_[index].object->instruction_end(entry, step);
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

bool Callbacks::want_evaluation(std::int64_t steps) const {
  return std::ranges::any_of(callbacks_,
                             [&](auto const& one) { return one.object->wants_evaluation(steps); });
}

Result<Success> Callbacks::evaluated(PhaseResult const& phase, std::int64_t steps) {
  Result<Success> result = Success{};
  each(callbacks_, result, [&](Callback& callback) { return callback.evaluated(phase, steps); });
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

namespace {

/// Calls `visit(name, object)` for all objects, with names that are unique and the same on every
/// rank: descriptions, numbered from their second occurrence on.
template <class Named, class Visit>
void each_named(std::vector<Named> const& all, std::map<std::string, int>& seen, Visit visit) {
  for (auto const& one : all) {
    auto const count = ++seen[one.description];
    visit(count == 1 ? one.description : one.description + " #" + std::to_string(count),
          *one.object);
  }
}

}  // namespace

std::vector<NamedState> Callbacks::states() const {
  std::vector<NamedState> states;
  std::map<std::string, int> seen;
  auto const add = [&](std::string const& name, auto const& object) {
    if (auto state = object.state(); !state.empty()) states.push_back({name, std::move(state)});
  };
  each_named(callbacks_, seen, add);
  each_named(controllers_, seen, add);
  return states;
}

std::vector<StateArray> Callbacks::state_arrays() {
  std::vector<StateArray> all;
  std::map<std::string, int> seen;
  each_named(controllers_, seen, [&](std::string const& name, Controller& controller) {
    for (auto& array : controller.state_arrays()) {
      array.name = name + '/' + array.name;
      all.push_back(std::move(array));
    }
  });
  return all;
}

Result<Success> Callbacks::restore(std::vector<CallbackState> const& saved,
                                   std::int64_t saved_ranks, CallbackContext const& run) {
  Result<Success> result = Success{};
  std::map<std::string, int> seen;
  auto const rank = static_cast<std::size_t>(run.executor.rank());
  auto const give = [&](std::string const& name, auto& object) {
    auto const found = std::ranges::find(saved, name, &CallbackState::callback);
    if (found == saved.end()) return;
    std::vector<std::string> states;
    for (std::size_t i = 0; i < found->ranks.size(); ++i)
      if (!found->ranks[i].empty() && (saved_ranks == run.executor.ranks() ? i == rank : rank == 0))
        states.push_back(found->ranks[i]);
    if (states.empty()) return;
    auto restored = object.restore(states);
    if (result && !restored) result = Problem{name + ": " + restored.problem().message};
  };
  each_named(callbacks_, seen, give);
  each_named(controllers_, seen, give);
  return result;
}

std::filesystem::path CallbackContext::model_folder(std::filesystem::path const& folder) const {
  return trainers == 1 ? output_folder / folder : trainer_folder(folder);
}

std::filesystem::path CallbackContext::trainer_folder(std::filesystem::path const& folder) const {
  return output_folder / folder / ("trainer" + std::to_string(trainer));
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
    case ExecutionMode::prediction:
      break;
  }
  return start + "test";
}

}  // namespace lbann::runtime
