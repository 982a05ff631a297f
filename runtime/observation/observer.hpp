// What looks at a run without changing it: the form of all callbacks, and what they are shown.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/execution/executor.hpp"
#include "runtime/observation/log.hpp"
#include "runtime/observation/phase_sizes.hpp"

namespace lbann::runtime {

class Probe;

/// All that an observer may look at; outlives it.
struct RunView {
  Plan const& plan;
  Executor const& executor;
  Log& log;
  PhaseSizes sizes;
  std::filesystem::path work_directory;
  std::int64_t trainer = 0, trainers = 1;
  Communicator* ranks = nullptr;         ///< of the trainer; null: a single process
  std::filesystem::path data_root = {};  ///< where relative paths are looked up first

  /// Whether this rank writes for its trainer.
  bool speaks() const { return ranks == nullptr || ranks->rank() == 0; }

  /// Where models of this trainer lie that experiments call `folder`: beside the work directory,
  /// whose name no other run could know; with several trainers each in its own.
  std::filesystem::path model_folder(std::filesystem::path const& folder) const;

  /// The same for what LBANN writes in a folder of the trainer even if it is the only one.
  std::filesystem::path trainer_folder(std::filesystem::path const& folder) const;
};

/// Which step of which pass.
struct StepPlace {
  ExecutionMode mode = ExecutionMode::training;
  std::int64_t epoch = 0;         ///< from 0; of passes of this mode
  std::int64_t step = 0;          ///< from 0; in training since it began, else of the pass
  std::int64_t local = 0;         ///< samples of this rank
  std::int64_t first_sample = 0;  ///< place in the pass of this rank's first one
  /// Numbers of this rank's samples in their data; of an observer's `read` only.
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

class Observer {
 public:
  virtual ~Observer() = default;
  /// Those that change weights, or compute, exist on every rank; all others only where a trainer
  /// speaks. They are called even after another has failed: the other ranks do what it did not.
  virtual bool on_every_rank() const { return false; }
  /// Only those that say so are called before and after steps.
  virtual bool observes_steps() const { return false; }
  /// Whether the problem it gave is a check of the experiment that failed.
  virtual bool failed_check() const { return false; }
  /// Whether every number that is computed must be looked at.
  virtual bool wants_finite_check() const { return false; }
  /// Once, before anything runs.
  virtual Result<Success> prepare(Probe& /*probe*/) { return Success{}; }
  /// Whether training should end, when a phase has; asked where a trainer speaks.
  virtual bool wants_stop() const { return false; }
  virtual Result<Success> train_begin() { return Success{}; }
  virtual Result<Success> epoch_begin(std::int64_t /*epoch*/) { return Success{}; }
  /// Before a training step; they count from 0 since training began.
  virtual void step_begin(std::int64_t /*step*/) {}
  virtual Result<Success> step_end(StepResult const&) { return Success{}; }
  /// Whether it reads observed values of this step, all ranks alike; asked before the step.
  virtual bool reads(StepPlace const&) const { return false; }
  /// After a step of which it reads values. Those with `on_every_rank` may be collective.
  virtual Result<Success> read(StepPlace const&) { return Success{}; }
  virtual Result<Success> phase_end(PhaseResult const&) { return Success{}; }
  virtual Result<Success> train_end() { return Success{}; }
};

/// Observers in the order they are called, and the few that look at every step.
class Observers {
 public:
  /// `words` are the process's position (position.hpp) while this observer is called.
  void add(std::unique_ptr<Observer> observer, std::string words);
  bool failed_check() const;
  bool wants_finite_check() const;
  Result<Success> prepare(Probe& probe);
  Result<Success> train_begin();
  Result<Success> epoch_begin(std::int64_t epoch);
  void step_begin(std::int64_t step);
  Result<Success> step_end(StepResult const& step);
  /// Whether any of them reads values of this step.
  bool reads(StepPlace const& place) const;
  Result<Success> read(StepPlace const& place);
  Result<Success> phase_end(PhaseResult const& phase);
  Result<Success> train_end();
  bool want_stop() const;

 private:
  struct Named {
    std::unique_ptr<Observer> observer;
    std::string words;
  };

  /// Calls those of all, in their order, until one has a problem; from then on only those that
  /// every rank has.
  template <class Call>
  Result<Success> each(Call call);

  std::vector<Named> all_;
  std::vector<std::size_t> of_steps_;  ///< indices in `all_`
};

/// How console lines begin: `<model> (instance <trainer>) training epoch 3`, `... validation`, `...
/// test`.
std::string line_start(RunView const& run, PhaseResult const& phase);

}  // namespace lbann::runtime
