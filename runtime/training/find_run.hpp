// Runs and their checkpoints on disk, for --resume.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/checkpoints/local_parts.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// A run to go on with.
struct FoundRun {
  std::filesystem::path work_directory;
  std::vector<std::filesystem::path> checkpoints;  ///< the newest first
  LocalCheckpoint const* local = nullptr;          ///< newer than these, to be drained first
  std::vector<std::string> notes;  ///< what has changed since, and what was passed over
};

/// What the command line says of folders.
struct FolderOptions {
  std::filesystem::path base = ".";  ///< holds the folder of the run
  /// Holds a folder of checkpoints for each run; empty: they lie in the run's own.
  std::filesystem::path checkpoints;
  std::filesystem::path local;  ///< on each node's disk, for parts of checkpoints; empty: none
  bool resume = false;
  std::filesystem::path resume_from;  ///< a run or a checkpoint; empty: the newest of `base`
};

/// Where a run has its checkpoints. `trainer`: name of the folder of this trainer in that of the
/// run; empty: the run has none.
std::filesystem::path folder_of_checkpoints(std::filesystem::path const& run,
                                            std::string const& trainer,
                                            FolderOptions const& options, Plan const& plan);

/// The folder on this node's disk for the parts of checkpoints of a run; empty: none.
std::filesystem::path folder_of_parts(std::filesystem::path const& run, std::string const& trainer,
                                      FolderOptions const& options);

/// The run in the base with the newest checkpoint of this experiment, which may be one of `local`;
/// or nothing.
std::optional<FoundRun> find_run(FolderOptions const& options, Plan const& plan,
                                 std::string const& trainer,
                                 std::span<LocalCheckpoint const> local);

/// The run of `resume_from`: its folder, or that of checkpoints. The problem says why it has no
/// checkpoint that `plan` can go on from, and what to do.
Result<FoundRun> open_run(FolderOptions const& options, Plan const& plan,
                          std::string const& trainer, std::span<LocalCheckpoint const> local);

}  // namespace lbann::runtime
