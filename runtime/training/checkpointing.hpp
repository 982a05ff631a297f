// Checkpoints of a training: when they are due, saving, and going on from one.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/callbacks/callbacks.hpp"
#include "runtime/checkpoints/checkpoint_writer.hpp"
#include "schemas/callbacks/checkpoint_interval.hpp"

namespace lbann::runtime {

/// How a checkpoint is saved.
enum class Saving : std::uint8_t {
  in_background,  ///< `advance` ends it; not begun while another is being written
  at_end,         ///< waits until it is written
  at_signal,  ///< likewise; without any checkpoint the run fails, as another is to go on from it
};

/// One per run and rank. What is collective is so over the ranks of the trainer.
class Checkpointing {
 public:
  struct Options {
    callbacks::CheckpointInterval interval;  ///< none: only at a signal
    CheckpointKeep keep;
    callbacks::OnFailure on_failure = callbacks::OnFailure::stop;
    CheckpointPlaces places;
    /// Checkpoints to go on from, the first sound one; empty: training begins anew.
    std::vector<std::filesystem::path> candidates;
  };

  /// All but the options outlive this.
  Checkpointing(CallbackContext const& run, Executor const& executor, Callbacks& callbacks,
                Options options);

  /// Remembers the learning rates that `initialize` has set, before anything changes them.
  void remember_rates();

  /// Whether the interval asks for checkpoints at all.
  bool periodic() const;
  /// Whether one is due after so many steps, or by time; the trainer root decides.
  bool due_after_step(std::int64_t steps) const;
  bool due_after_epoch(std::int64_t epochs) const;
  /// Whether this rank still writes one.
  bool busy() const { return writer_.busy(); }

  /// Keeps the states of callbacks as they are now for the next `save` with `states_kept`.
  void keep_states() { kept_ = callbacks_.states(); }
  /// Saves all state as of `position`, or that of callbacks as it was kept. A failure is a warning
  /// while there is an older sound checkpoint; see `problem` otherwise. Collective.
  void save(TrainingPosition const& position, Saving saving, bool states_kept = false);
  /// Ends the checkpoint being written, if any, once no rank is `any_busy`. Collective.
  void advance(bool any_busy);
  /// A failure that ends training, the same on all ranks but for the message, which is empty where
  /// another rank has it. Models are still to be saved.
  std::optional<Problem> const& problem() const { return problem_; }

  bool resumes() const { return !options_.candidates.empty(); }
  /// Restores state tensors and callbacks from the first sound candidate, and learning rates as the
  /// plan starts them where these were changed; after callbacks' `train_begin`. Damaged candidates
  /// are warned of. Collective.
  Result<TrainingPosition> restore();

 private:
  using Clock = std::chrono::steady_clock;

  /// The start values of learning rates, before anything has changed them.
  std::map<std::string, double> learning_rates() const;
  /// State tensors, and what callbacks add.
  std::vector<StateArray> arrays() const;
  std::vector<CallbackState> gather_states(std::vector<NamedState> const& own) const;
  void finish(Saving saving);
  void note_written(std::filesystem::path const& path);
  /// Whether a checkpoint on disk can be resumed from, as far as sizes tell. Collective.
  bool has_older() const;
  void judge(Result<Success> const& saved, Saving saving);
  void judge_local();
  void warn(std::string const& warning) const;
  Result<TrainingPosition> restore_from(std::filesystem::path const& candidate);
  /// Checkpoints after the one that training goes on from are of a course that it has left.
  void replace_newer(std::int64_t steps);
  void apply_changed_rates(Manifest const& manifest);

  CallbackContext const& run_;
  Executor const& executor_;
  Callbacks& callbacks_;
  Options options_;
  CheckpointWriter writer_;
  std::map<std::string, double> initial_rates_;
  std::vector<NamedState> kept_;
  Clock::time_point last_ = Clock::now();
  TrainingPosition begun_position_;
  TrainingPosition last_position_{.steps = -1};  ///< of the checkpoint saved last
  std::optional<Problem> problem_;
};

}  // namespace lbann::runtime
