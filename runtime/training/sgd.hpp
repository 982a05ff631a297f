// Stochastic gradient descent: epochs of training, a validation after each, one test at the end.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "runtime/observation/observer.hpp"
#include "runtime/training/phase.hpp"
#include "runtime/training/signals.hpp"
#include "runtime/training/stop_criteria.hpp"

namespace lbann::runtime {

class Profile;

/// What only a run knows.
struct SgdOptions {
  std::int64_t step_limit =
      0;  ///< most steps of each pass, and of training as a whole; 0: no limit
  std::chrono::steady_clock::time_point process_start = std::chrono::steady_clock::now();
  Profile* profile = nullptr;  ///< times every instruction if given
};

/// How a run ended, when nothing failed.
struct Ending {
  Stop stop = Stop::not_yet;
  int signal = 0;
  std::int64_t steps = 0;
  double seconds_to_first_step = 0;  ///< from the start of the process
};

class Sgd {
 public:
  /// `phases` by ExecutionMode; empty where the plan has no data of that role. All outlive this.
  Sgd(RunView const& run, Executor& executor, Observers& observers,
      std::array<std::optional<Phase>, 3>& phases, SgdOptions options);

  /// Binds everything that will run, so that no step has anything left to do but compute.
  Result<Success> prepare();
  /// Initial weights: the seed set, the entry point `initialize` run; other state is zero, as arenas
  /// are at first. Once.
  void initialize();
  /// Trains, validates, tests. Problems: observers', the data's, an objective that is not finite.
  Result<Ending> train(SignalWatch const& signals);
  /// Whether the problem `train` gave is the objective, not a file.
  bool diverged() const { return diverged_; }

 private:
  Result<Success> training_epoch(SignalWatch const& signals);
  Result<Success> evaluate(ExecutionMode mode, SignalWatch const& signals);
  Result<Success> training_step(Phase& phase);
  /// Loads the next mini-batch and runs the entry point on it; its number of samples.
  Result<std::int64_t> execute(Phase& phase);
  Result<Success> finish_phase(PhaseResult result);
  Problem not_finite(double objective) const;
  void begin_phase(ExecutionMode mode);
  Stop stop(SignalWatch const& signals) const;
  double seconds_since_start() const;

  RunView const& run_;
  Executor& executor_;
  Observers& observers_;
  std::array<std::optional<Phase>, 3>& phases_;
  SgdOptions options_;

  BoundEntry const* initialize_ = nullptr;
  double* mini_batch_ = nullptr;
  std::int64_t* first_sample_ = nullptr;
  double const* objective_ = nullptr;
  std::vector<double const*> metrics_;  ///< of a step; null for those only summed

  Progress progress_;
  std::chrono::steady_clock::time_point start_;
  double seconds_to_first_step_ = 0;
  bool epoch_complete_ = false;
  bool diverged_ = false;
  std::int64_t step_of_phase_ = 0;
  std::int64_t samples_of_phase_ = 0;
  std::vector<double> step_seconds_;
  std::vector<double> metric_values_;
};

}  // namespace lbann::runtime
