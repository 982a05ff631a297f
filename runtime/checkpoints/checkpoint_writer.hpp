// Writes checkpoints while training goes on.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "runtime/checkpoints/manifest.hpp"
#include "runtime/checkpoints/state_arrays.hpp"
#include "runtime/communication/communicator.hpp"
#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// Which checkpoints stay.
struct CheckpointKeep {
  std::int64_t newest = 2;  ///< so many of them
  std::int64_t every = 0;   ///< and those whose step is a multiple of this; 0: no others
};

/// Where checkpoints lie, and what they are written with.
struct CheckpointPlaces {
  std::filesystem::path folder;     ///< of all checkpoints of the run, made when the first is begun
  std::filesystem::path plan_file;  ///< the plan as it was read, beside what else the run writes
  std::filesystem::path local;      ///< on this node's disk, for parts; empty: none
};

/// One per run and rank. A checkpoint is begun and later finished; between, this rank's part of a
/// copy of the state is written by a thread.
///
/// Files: `step_<steps>/{state.safetensors, plan.bin, manifest.json}`. They are written to a folder
/// beside it, synced, and then renamed: a checkpoint is there whole or not at all. With a local
/// folder each rank first writes its part there (see `local_parts.hpp`); from the time that all
/// have, a resume on these nodes finds the checkpoint. Then the parts are drained to `folder`.
class CheckpointWriter {
 public:
  /// `plan`, `executor` and `ranks` outlive this; `ranks` null: a single process.
  CheckpointWriter(Plan const& plan, Executor const& executor, Communicator* ranks,
                   CheckpointPlaces places, CheckpointKeep keep);
  /// What was not finished is removed.
  ~CheckpointWriter();
  CheckpointWriter(CheckpointWriter const&) = delete;

  /// Copies this rank's part of `arrays` and starts to write it. `manifest`: position, learning
  /// rates and callbacks; the rest is filled in here. None may be begun. The same arrays every
  /// time. Collective.
  Result<Success> begin(Manifest manifest, std::span<StateArray const> arrays);
  /// Whether one is begun and not finished.
  bool begun() const { return writing_ != nullptr; }
  /// Whether this rank's part is still being written.
  bool busy() const;
  /// Waits for what all ranks are writing. If that was to local folders, starts to drain; nothing.
  /// Otherwise puts the checkpoint in its place and removes old ones; its path. After a problem
  /// there is no trace of it in `folder`. Collective.
  Result<std::optional<std::filesystem::path>> advance();
  /// Waits for the whole of it. Collective.
  Result<std::filesystem::path> finish();

  /// Checkpoints that training has left behind, as it goes on from an older one: they are removed
  /// when the next is there.
  void replace(std::vector<std::filesystem::path> checkpoints) {
    replaced_ = std::move(checkpoints);
  }
  /// Why the local folder could not be used since this was last called; such a checkpoint is
  /// written to `folder` alone.
  std::optional<Problem> take_local_problem();

 private:
  struct Writing;

  Result<Success> agree(Result<Success> mine) const;
  bool begin_local(Writing& writing);
  Result<Success> begin_shared(Writing& writing);
  Result<Success> make_files(Writing& writing);
  void gather_digests(Writing& writing);
  Result<Success> start_to_drain(Writing& writing, Result<Success> const& parts);
  Result<Success> publish(Writing& writing);
  void start(Result<Success> (Writing::*write)(std::byte const*));

  Plan const& plan_;
  Executor const& executor_;
  Communicator* ranks_;
  CheckpointPlaces places_;
  CheckpointKeep keep_;
  std::vector<std::filesystem::path> replaced_;
  std::optional<Problem> local_problem_;
  std::unique_ptr<std::byte[]> snapshot_;  ///< this rank's chunks, one after the other
  std::unique_ptr<Writing> writing_;
  std::jthread remover_;  ///< of parts that are drained
};

}  // namespace lbann::runtime
