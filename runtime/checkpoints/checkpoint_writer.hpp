// Writes checkpoints while training goes on.
#pragma once

#include <filesystem>
#include <memory>

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

/// One per run and rank. A checkpoint is begun and later finished; between, this rank's part of a
/// copy of the state is written by a thread.
///
/// Files: `step_<steps>/{state.safetensors, plan.bin, manifest.json}`. They are written to a folder
/// beside it, synced, and then renamed: a checkpoint is there whole or not at all.
class CheckpointWriter {
 public:
  /// `folder`: of all checkpoints of the run, made when the first is begun. `plan_file`: the plan
  /// as it was read. All but these texts outlive this; `ranks` null: a single process.
  CheckpointWriter(Plan const& plan, Executor const& executor, Communicator* ranks,
                   std::filesystem::path folder, std::filesystem::path plan_file,
                   CheckpointKeep keep);
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
  /// Waits for all ranks, then puts the checkpoint in its place and removes old ones; its path.
  /// After a problem there is no trace of it. Collective.
  Result<std::filesystem::path> finish();

 private:
  struct Writing;

  Result<Success> make_files(Writing& writing);
  Result<Success> publish(Writing& writing, std::vector<std::uint64_t> digests);

  Plan const& plan_;
  Executor const& executor_;
  Communicator* ranks_;
  std::filesystem::path folder_, plan_file_;
  CheckpointKeep keep_;
  std::unique_ptr<std::byte[]> snapshot_;  ///< this rank's chunks, one after the other
  std::unique_ptr<Writing> writing_;
};

}  // namespace lbann::runtime
