// What looks at a run without changing it: the form of all callbacks, and what they are shown.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "runtime/execution/executor.hpp"
#include "runtime/observation/log.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

enum class ExecutionMode : std::uint8_t { training, validation, testing };
inline constexpr std::array<std::string_view, 3> execution_mode_names = {"training", "validation",
                                                                         "testing"};

/// The mini-batches of one pass over the samples of a role; all zero where the plan has no such
/// role.
struct PhaseSize {
  std::int64_t samples = 0;
  std::int64_t mini_batch = 0;

  std::int64_t steps() const {
    return mini_batch == 0 ? 0 : (samples + mini_batch - 1) / mini_batch;
  }
  std::int64_t last_mini_batch() const {
    return mini_batch == 0 ? 0 : samples - (steps() - 1) * mini_batch;
  }
};
using PhaseSizes = std::array<PhaseSize, 3>;  ///< by ExecutionMode

/// All that an observer may look at; outlives it.
struct RunView {
  Plan const& plan;
  Executor const& executor;
  Log& log;
  PhaseSizes sizes;
  std::filesystem::path work_directory;
  std::int64_t trainer = 0, trainers = 1;

  /// Where models of this trainer lie that experiments call `folder`: beside the work directory,
  /// whose name no other run could know; with several trainers each in its own.
  std::filesystem::path model_folder(std::filesystem::path const& folder) const;
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
  /// Those that change weights exist on every rank; all others only where a trainer speaks.
  virtual bool on_every_rank() const { return false; }
  /// Only those that say so are called after steps.
  virtual bool observes_steps() const { return false; }
  virtual Result<Success> train_begin() { return Success{}; }
  virtual Result<Success> epoch_begin(std::int64_t /*epoch*/) { return Success{}; }
  virtual Result<Success> step_end(StepResult const&) { return Success{}; }
  virtual Result<Success> phase_end(PhaseResult const&) { return Success{}; }
  virtual Result<Success> train_end() { return Success{}; }
};

/// Observers in the order they are called, and the few that look at every step.
class Observers {
 public:
  void add(std::unique_ptr<Observer> observer);
  Result<Success> train_begin();
  Result<Success> epoch_begin(std::int64_t epoch);
  Result<Success> step_end(StepResult const& step) {
    for (auto* observer : of_steps_)
      if (auto done = observer->step_end(step); !done) return done;
    return Success{};
  }
  Result<Success> phase_end(PhaseResult const& phase);
  Result<Success> train_end();

 private:
  std::vector<std::unique_ptr<Observer>> all_;
  std::vector<Observer*> of_steps_;
};

/// How console lines begin: `<model> (instance <trainer>) training epoch 3`, `... validation`, `...
/// test`.
std::string line_start(RunView const& run, PhaseResult const& phase);

}  // namespace lbann::runtime
