// The forms of callbacks, which look at a run, and of controllers, which decide between its steps.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/phase_sizes.hpp"
#include "runtime/execution/executor.hpp"
#include "runtime/observation/log.hpp"

namespace lbann::runtime {

class Probe;

/// All that a callback may look at; outlives it.
struct CallbackContext {
  Plan const& plan;
  Executor const& executor;
  Log& log;
  PhaseSizes sizes;
  std::filesystem::path work_directory;
  std::int64_t trainer = 0, trainers = 1;
  Communicator* ranks = nullptr;         ///< of the trainer; null: a single process
  std::filesystem::path data_root = {};  ///< where relative paths are looked up first

  /// Whether this rank is its trainer's root, which writes for it.
  bool is_root() const { return ranks == nullptr || ranks->rank() == 0; }

  /// Where models of this trainer lie that experiments call `folder`: beside the work directory,
  /// whose name no other run could know; with several trainers each in its own.
  std::filesystem::path model_folder(std::filesystem::path const& folder) const;

  /// The same for what LBANN writes in a folder of the trainer even if it is the only one.
  std::filesystem::path trainer_folder(std::filesystem::path const& folder) const;
};

/// One step of a pass.
struct Iteration {
  ExecutionMode mode = ExecutionMode::training;
  std::int64_t epoch = 0;         ///< from 0; of passes of this mode
  std::int64_t step = 0;          ///< from 0; in training since it began, else of the pass
  std::int64_t local = 0;         ///< samples of this rank
  std::int64_t first_sample = 0;  ///< place in the pass of this rank's first one
  /// Numbers of this rank's samples in their data; in `read` only.
  std::span<std::int64_t const> indices = {};
};

/// One finished training step.
struct StepResult {
  std::int64_t epoch = 0;          ///< from 0
  std::int64_t step = 0;           ///< from 0, since training began
  std::int64_t step_of_epoch = 0;  ///< from 0
  std::int64_t samples = 0;
  double seconds = 0;
  double objective = 0;             ///< mean over the step's samples
  std::span<double const> metrics;  ///< likewise, as in the plan; NaN for one that is only summed
};

/// One finished pass: an epoch of training, a validation, a test.
struct PhaseResult {
  ExecutionMode mode = ExecutionMode::training;
  std::int64_t epoch = 0;  ///< number of the epoch, or of epochs trained before
  std::int64_t samples = 0;
  double seconds = 0;
  double objective = 0;                  ///< mean over the samples
  std::span<double const> metrics;       ///< likewise, as in the plan
  std::span<double const> step_seconds;  ///< of each step
  bool complete = true;                  ///< false: cut short by a limit or a signal
};

/// Looks at a run without changing it. Not called after another callback has failed, but for those
/// with `on_every_rank`, so that their collectives stay matched.
class Callback {
 public:
  virtual ~Callback() = default;
  /// Whether it exists on every rank, as it must if it communicates; otherwise on the trainer's
  /// root only.
  virtual bool on_every_rank() const { return false; }
  /// Only those that say so are called before and after steps.
  virtual bool observes_steps() const { return false; }
  /// Whether the problem it gave is a check of the experiment that failed.
  virtual bool failed_check() const { return false; }
  /// Whether every number that is computed must be finite.
  virtual bool wants_finite_check() const { return false; }
  /// Once, before anything runs.
  virtual Result<Success> prepare(Probe& /*probe*/) { return Success{}; }
  virtual Result<Success> train_begin() { return Success{}; }
  virtual Result<Success> epoch_begin(std::int64_t /*epoch*/) { return Success{}; }
  /// Before a training step; they count from 0 since training began.
  virtual void step_begin(std::int64_t /*step*/) {}
  virtual Result<Success> step_end(StepResult const&) { return Success{}; }
  /// Whether it reads observed values of this step, all ranks alike; asked before the step.
  virtual bool reads(Iteration const&) const { return false; }
  /// After a step of which it reads values. Those with `on_every_rank` may be collective.
  virtual Result<Success> read(Iteration const&) { return Success{}; }
  virtual Result<Success> phase_end(PhaseResult const&) { return Success{}; }
  virtual Result<Success> train_end() { return Success{}; }
};

/// Decides between steps: loads weights before training, stops it, saves what it has reached.
class Controller {
 public:
  virtual ~Controller() = default;
  /// As of a callback.
  virtual bool on_every_rank() const { return false; }
  /// Before any callback's `train_begin`; may write weights.
  virtual Result<Success> train_begin(Executor& /*executor*/) { return Success{}; }
  /// After the callbacks' `phase_end`.
  virtual Result<Success> phase_end(PhaseResult const&) { return Success{}; }
  /// Whether training should end, when a phase has; asked on the trainer's root.
  virtual bool wants_stop() const { return false; }
  /// After the callbacks' `train_end`.
  virtual Result<Success> train_end() { return Success{}; }
};

/// How console lines begin: `<model> (instance <trainer>) training epoch 3`, `... validation`, `...
/// test`.
std::string line_start(CallbackContext const& run, PhaseResult const& phase);

}  // namespace lbann::runtime
