// Stochastic gradient descent: epochs of training, a validation after each, one test at the end.
#pragma once

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/callbacks/callbacks.hpp"
#include "runtime/checkpoints/manifest.hpp"
#include "runtime/training/phase.hpp"
#include "runtime/training/probe.hpp"
#include "runtime/training/stop_criteria.hpp"
#include "runtime/training/timed_entries.hpp"

namespace lbann::runtime {

class FiniteCheck;
class Checkpointing;
class DataWaits;
class Profile;
class Trace;

/// Options of a run that are not in the plan.
struct SgdOptions {
  std::int64_t step_limit =
      0;  ///< most steps of each pass, and of training as a whole; 0: no limit
  std::chrono::steady_clock::time_point process_start = std::chrono::steady_clock::now();
  Profile* profile = nullptr;            ///< times every instruction if given
  FiniteCheck* finite = nullptr;         ///< checks every output if given
  Communicator* trainer = nullptr;       ///< the ranks that train together; null: this one alone
  Checkpointing* checkpoints = nullptr;  ///< saves and resumes if given
  Trace* trace = nullptr;                ///< records a timeline if given
  DataWaits* waits = nullptr;            ///< is told how long steps wait for data if given
  std::int64_t seed = 0;                 ///< of weights and all random numbers
};

/// How a run ended, when nothing failed.
struct TrainingResult {
  Stop stop = Stop::not_yet;
  int signal = 0;
  std::int64_t steps = 0;            ///< since training began
  std::int64_t steps_gained = 0;     ///< by this run, where it went on from a checkpoint
  double seconds_to_first_step = 0;  ///< from the start of the process
};

class Sgd {
 public:
  /// `phases` by ExecutionMode; empty where the plan has no data of that role. All must outlive
  /// this.
  Sgd(CallbackContext const& run, Executor& executor, Callbacks& callbacks,
      std::array<std::optional<Phase>, run_modes>& phases, SgdOptions options);
  ~Sgd();

  /// Binds all entry points that will run, so that steps only compute.
  Result<Success> prepare();
  /// Initial weights: the seed set, the entry point `initialize` run; other state is zero, as
  /// arenas are at first. Once.
  void initialize();
  /// Trains, validates, tests. Problems: callbacks', the data's, an objective that is not finite.
  /// Signals are recorded from the first step until it returns.
  Result<TrainingResult> train();
  /// Whether `train` failed because of a number that is not finite.
  bool diverged() const { return diverged_; }

 private:
  Result<Success> training_epoch();
  Result<Success> evaluate(ExecutionMode mode);
  /// An evaluation between two steps of an epoch, on validation data or else on test data, which
  /// leaves all of the epoch as it is.
  Result<Success> evaluate_within_epoch();
  bool has(ExecutionMode mode) const;
  Result<Success> training_step(Phase& phase);
  /// Computes the next mini-batch, one micro-batch after the other; returns its number of samples
  /// on all ranks. Afterwards all ranks know whether to stop.
  Result<std::int64_t> execute(Phase& phase);
  /// Loads the next `samples` and runs the entry point on them.
  Result<Success> execute_micro_batch(Phase& phase, BoundEntry const& entry, std::int64_t samples);
  /// Runs an entry point, checked, profiled or traced as the options say.
  void run(BoundEntry const& entry);
  /// Runs an entry point with calls of callbacks around each instruction.
  void run_observed(BoundEntry const& entry);
  /// Runs the entry points that are due between steps.
  void run_due(Moment moment, std::int64_t count);
  /// Collective: `agree_on_status` over the ranks of the trainer.
  Result<Success> agree(Result<Success> mine) const;
  /// Whether any rank has received a signal.
  bool checkpoint_failed() const;
  bool signalled() const { return status_.signal() != 0; }
  Result<Success> finish_phase(PhaseResult result);
  /// Collective: evaluates external metrics on the trainer root and broadcasts them.
  Result<Success> evaluate_external_metrics();
  /// Collective: `mine` of the trainer root, on all ranks.
  bool root_decision(bool mine) const;
  /// Collective: the problem of an objective that is not finite in the last step; names data or
  /// weights that are not.
  Result<Success> end_not_finite(double objective);
  /// A number of this rank's last mini-batches that is not finite.
  std::optional<Problem> input_not_finite() const;
  /// Advice for the user, and a line for each weights object that is not finite.
  std::string not_finite_advice() const;
  /// `in step 3 of training epoch 0`.
  std::string step_text() const;
  /// `training epoch 0`, `the validation of epoch 0`, `the test`.
  static std::string pass_text(ExecutionMode mode, std::int64_t epoch);
  /// `first_step` > 0: goes on inside a pass, whose sums are those of the checkpoint.
  void begin_phase(ExecutionMode mode, std::int64_t first_step = 0);
  /// Mean over the samples of this pass so far.
  double mean(Measure const& measure, ExecutionMode mode) const;
  /// Where training is, between two steps.
  TrainingPosition position_here() const;
  /// Collective: what checkpoints need after a step inside of an epoch.
  void advance_checkpoints();
  /// Collective: the last checkpoint before training stops here, for `why`.
  void save_before(Stop why, TrainingPosition const& position, bool states_kept = false);
  /// Collective: the checkpoint that is due at the end of an epoch.
  void end_epoch(Stop stop);
  /// Collective: goes on from a checkpoint, if asked to.
  Result<Success> resume();
  Stop stop();
  double seconds_since_start() const;

  CallbackContext const& run_;
  Executor& executor_;
  Callbacks& callbacks_;
  std::array<std::optional<Phase>, run_modes>& phases_;
  SgdOptions options_;
  PhaseProbe probe_;

  BoundEntry const* initialize_ = nullptr;
  TimedEntries timed_;
  double* mini_batch_ = nullptr;
  double *step_samples_ = nullptr, *samples_before_ = nullptr;
  std::int64_t* first_sample_ = nullptr;
  double const* objective_ = nullptr;   ///< of a micro-batch
  std::vector<double const*> metrics_;  ///< the same; null for those only summed

  /// Counts summed over ranks with every step, in the order of StatusWord.
  struct Status {
    double terminate = 0, interrupt = 0, warned = 0, time_over = 0, failed = 0;
    double checkpoint_due = 0, checkpoint_busy = 0;

    /// The signal that some rank has been sent, the most urgent of several; 0 if none.
    int signal() const {
      return interrupt > 0 ? SIGINT : terminate > 0 ? SIGTERM : warned > 0 ? SIGUSR1 : 0;
    }
  };
  static_assert(sizeof(Status) == status_words * sizeof(double));
  Status own_status() const;

  Status status_;                        ///< of all ranks, after the last step
  std::optional<Problem> step_problem_;  ///< of this rank alone, until ranks agree on it
  Progress progress_;
  std::chrono::steady_clock::time_point start_;
  double seconds_to_first_step_ = 0;
  bool epoch_complete_ = false;
  bool validated_ = false;       ///< the epoch that ended last, if there is anything to validate
  bool checkpoint_due_ = false;  ///< after the last step of the epoch
  bool diverged_ = false;
  /// Of the first step alone: what made its objective NaN, if it is. Null after it.
  std::unique_ptr<FiniteCheck> first_step_;
  bool stop_wanted_ = false;   ///< by a callback
  bool within_epoch_ = false;  ///< an evaluation, of which callbacks see the result alone
  Iteration iteration_;        ///< of the step in progress
  TrainingPosition resumed_;   ///< where training went on; all 0 where it began
  std::int64_t step_of_phase_ = 0;
  std::int64_t samples_of_phase_ = 0;
  std::vector<double> step_seconds_;
  double step_waited_ = 0, phase_waited_ = 0;  ///< seconds in which this rank waited for data
  double step_objective_ = 0;
  std::vector<double> step_metrics_, metric_values_;
};

}  // namespace lbann::runtime
