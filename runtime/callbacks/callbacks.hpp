// The callbacks and controllers of a run, called in the order they were added.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/callbacks/callback.hpp"

namespace lbann::runtime {

/// The state of a callback on this rank.
struct NamedState {
  std::string callback;  ///< its description, with a number where several have the same
  std::string state;
};

/// At each event the callbacks in the order they were added, then the controllers; at the beginning
/// of training the controllers first. Only controllers have `finish_training` and `run_end`. The
/// first problem is returned; after it only those with `on_every_rank` are called.
class Callbacks {
 public:
  /// `description` is the process's position (position.hpp) while it is called.
  void add(std::unique_ptr<Callback> callback, std::string description);
  void add(std::unique_ptr<Controller> controller, std::string description);
  bool failed_check() const;
  bool wants_finite_check() const;
  bool observe_instructions() const { return !of_instructions_.empty(); }
  bool keep_weights() const;
  Result<Success> prepare(Probe& probe);
  Result<Success> train_begin(Executor& executor);
  Result<Success> epoch_begin(std::int64_t epoch);
  void step_begin(std::int64_t step);
  Result<Success> step_end(StepResult const& step);
  void iteration_begin(Iteration const& iteration);
  void iteration_end(Iteration const& iteration);
  void instruction_begin(BoundEntry const& entry, BoundEntry::Step const& step);
  void instruction_end(BoundEntry const& entry, BoundEntry::Step const& step);
  /// Whether any of them reads values of this step.
  bool reads(Iteration const& iteration) const;
  Result<Success> read(Iteration const& iteration);
  Result<Success> phase_end(PhaseResult const& phase);
  bool want_evaluation(std::int64_t steps) const;
  Result<Success> evaluated(PhaseResult const& phase, std::int64_t steps);
  Result<Success> finish_training(Executor& executor, bool signalled);
  Result<Success> train_end();
  Result<Success> run_end();
  bool want_stop() const;
  /// Of the callbacks and controllers of this rank that have a state, in their order.
  std::vector<NamedState> states() const;
  /// The arrays of controllers, with their names in front.
  std::vector<StateArray> state_arrays();
  /// Gives all their part of what was `saved` by so many ranks; those that were not there then keep
  /// what they have.
  Result<Success> restore(std::vector<CallbackState> const& saved, std::int64_t saved_ranks,
                          CallbackContext const& run);

 private:
  template <class T>
  struct Named {
    std::unique_ptr<T> object;
    std::string description;
  };

  std::vector<Named<Callback>> callbacks_;
  std::vector<Named<Controller>> controllers_;
  /// Indices in `callbacks_`.
  std::vector<std::size_t> of_steps_, of_iterations_, of_instructions_;
};

}  // namespace lbann::runtime
