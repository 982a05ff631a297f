// Interfaces of callbacks, which observe a run, and of controllers, which act between its phases.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/checkpoints/manifest.hpp"
#include "runtime/checkpoints/state_arrays.hpp"
#include "runtime/data/phase_sizes.hpp"
#include "runtime/execution/executor.hpp"
#include "runtime/observation/log.hpp"

namespace lbann::runtime {

class Probe;

/// What a callback may read; outlives it.
struct CallbackContext {
  Plan const& plan;
  Executor const& executor;
  Log& log;
  PhaseSizes sizes;
  std::filesystem::path work_directory;  ///< of this trainer: log, metrics.jsonl, checkpoints
  /// Where relative paths of callbacks begin: the folder of the run, the same for all trainers.
  std::filesystem::path output_folder = work_directory;
  std::filesystem::path runs_folder = {};  ///< holds this run and others
  std::int64_t trainer = 0, trainers = 1;
  Communicator* ranks = nullptr;         ///< of the trainer; null: a single process
  std::filesystem::path data_root = {};  ///< where relative paths are looked up first
  Communicator* between = nullptr;       ///< the same rank of every trainer; null: one trainer
  bool resumed = false;                  ///< the run continues one that has written files

  /// Whether this rank is the trainer root, which writes log and files.
  bool is_root() const { return ranks == nullptr || ranks->rank() == 0; }

  /// The trainer root's `decision`, on all ranks where they act together, since each holds a part
  /// of the weights. Collective then.
  bool as_root(bool decision) const {
    if (ranks == nullptr || !executor.program().splits_state) return decision;
    auto const told = static_cast<std::byte>(decision);
    std::array bytes{told};
    ranks->broadcast(bytes, 0);
    return bytes[0] != std::byte{};
  }

  /// Path of what experiments call `folder`, with several trainers a folder in it for each.
  std::filesystem::path model_folder(std::filesystem::path const& folder) const;

  /// The same, with a folder of the trainer even if it is the only one, as LBANN does.
  std::filesystem::path trainer_folder(std::filesystem::path const& folder) const;
};

/// One step of a pass.
struct Iteration {
  ExecutionMode mode = ExecutionMode::training;
  std::int64_t epoch = 0;         ///< from 0; of passes of this mode
  std::int64_t step = 0;          ///< from 0; in training since it began, else of the pass
  std::int64_t local = 0;         ///< samples of this rank
  std::int64_t first_sample = 0;  ///< index in the pass of this rank's first sample
  /// Indices of this rank's samples in the data; in `read` only.
  std::span<std::int64_t const> indices = {};
};

/// One finished training step.
struct StepResult {
  std::int64_t epoch = 0;          ///< from 0
  std::int64_t step = 0;           ///< from 0, since training began
  std::int64_t step_of_epoch = 0;  ///< from 0
  std::int64_t samples = 0;
  double seconds = 0;
  double waited = 0;                ///< part of `seconds` in which this rank waited for data
  double objective = 0;             ///< mean over the step's samples
  std::span<double const> metrics;  ///< likewise, as in the plan; NaN for one that is only summed
};

/// One finished pass: an epoch of training, a validation, a test.
struct PhaseResult {
  ExecutionMode mode = ExecutionMode::training;
  /// From 0: the epoch that was trained, or is validated; of a test how many were trained before
  /// it.
  std::int64_t epoch = 0;
  std::int64_t samples = 0;
  double seconds = 0;
  double waited = 0;                     ///< part of `seconds` in which this rank waited for data
  double objective = 0;                  ///< mean over the samples
  std::span<double const> metrics;       ///< likewise, as in the plan
  std::span<double const> step_seconds;  ///< of each step
  bool complete = true;                  ///< false: cut short by a limit or a signal
};

/// Observes a run without changing it. Not called after another callback has failed, except with
/// `on_every_rank`, so that collectives stay matched.
class Callback {
 public:
  virtual ~Callback() = default;
  /// Whether it exists on every rank, as it must if it communicates; otherwise on the trainer's
  /// root only.
  virtual bool on_every_rank() const { return false; }
  /// Whether `step_begin` and `step_end` are called.
  virtual bool observes_steps() const { return false; }
  /// Whether its problem is a failed check of the experiment (`exit_check`).
  virtual bool failed_check() const { return false; }
  /// Whether it leaves weights on disk.
  virtual bool keeps_weights() const { return false; }
  /// Whether every computed number must be checked to be finite.
  virtual bool wants_finite_check() const { return false; }
  /// Whether `iteration_begin` and `iteration_end` are called.
  virtual bool observes_iterations() const { return false; }
  /// Whether instructions run one after the other, with calls around each.
  virtual bool observes_instructions() const { return false; }
  /// Once, before anything runs.
  virtual Result<Success> prepare(Probe& /*probe*/) { return Success{}; }
  virtual Result<Success> train_begin() { return Success{}; }
  virtual Result<Success> epoch_begin(std::int64_t /*epoch*/) { return Success{}; }
  /// Before a training step; `step` counts from 0 since training began.
  virtual void step_begin(std::int64_t /*step*/) {}
  virtual Result<Success> step_end(StepResult const&) { return Success{}; }
  /// Before the samples of a mini-batch of any pass are loaded; knows none of them yet.
  virtual void iteration_begin(Iteration const&) {}
  /// After the mini-batch was computed. `local` counts all of its micro-batches; `indices` are
  /// empty where it has several.
  virtual void iteration_end(Iteration const&) {}
  virtual void instruction_begin(BoundEntry const&, BoundEntry::Step const&) {}
  virtual void instruction_end(BoundEntry const&, BoundEntry::Step const&) {}
  /// Whether it reads observed values of this step, the same on all ranks; called before the step.
  virtual bool reads(Iteration const&) const { return false; }
  /// After a step of which it reads values. Those with `on_every_rank` may be collective.
  virtual Result<Success> read(Iteration const&) { return Success{}; }
  virtual Result<Success> phase_end(PhaseResult const&) { return Success{}; }
  /// Whether the model is to be evaluated now, so many steps of training having been done; the same
  /// on all ranks.
  virtual bool wants_evaluation(std::int64_t /*steps*/) const { return false; }
  /// After an evaluation that some callback wanted; `phase` has the epoch that is being trained.
  /// Metrics of other programs are NaN.
  virtual Result<Success> evaluated(PhaseResult const& /*phase*/, std::int64_t /*steps*/) {
    return Success{};
  }
  virtual Result<Success> train_end() { return Success{}; }
  /// What it must remember across a resume, for a checkpoint: any bytes; empty: nothing.
  virtual std::string state() const { return {}; }
  /// Takes over saved states, after `train_begin`: the one of this rank; where the number of ranks
  /// has changed, those of all ranks on the trainer root and none elsewhere.
  virtual Result<Success> restore(std::span<std::string const> /*states*/) { return Success{}; }
};

/// Acts between phases: loads weights before training, stops it, saves weights after it.
class Controller {
 public:
  virtual ~Controller() = default;
  /// See `Callback::on_every_rank`.
  virtual bool on_every_rank() const { return false; }
  /// See `Callback::keeps_weights`.
  virtual bool keeps_weights() const { return false; }
  /// Before any callback's `train_begin`; may write weights.
  virtual Result<Success> train_begin(Executor& /*executor*/) { return Success{}; }
  /// After the callbacks' `phase_end`.
  virtual Result<Success> phase_end(PhaseResult const&) { return Success{}; }
  /// Whether training should end; called on the trainer root after a phase.
  virtual bool wants_stop() const { return false; }
  /// When training has ended, before any `train_end`; may write weights. `signalled`: it was ended
  /// by a signal, so another run may go on from the weights.
  virtual Result<Success> finish_training(Executor& /*executor*/, bool /*signalled*/) {
    return Success{};
  }
  /// After the callbacks' `train_end`.
  virtual Result<Success> train_end() { return Success{}; }
  /// At the end of every run without a problem: after the test, or without one where there is no
  /// data for it or a signal was received. May be collective over `CallbackContext::between`.
  virtual Result<Success> run_end() { return Success{}; }
  /// See `Callback::state`.
  virtual std::string state() const { return {}; }
  virtual Result<Success> restore(std::span<std::string const> /*states*/) { return Success{}; }
  /// Arrays that are part of its state, the same on every rank; for those with `on_every_rank`.
  virtual std::vector<StateArray> state_arrays() { return {}; }
};

/// How console lines begin: `<model> (instance <trainer>) training epoch 3`, `... validation`, `...
/// test`.
std::string line_start(CallbackContext const& run, PhaseResult const& phase);

}  // namespace lbann::runtime
