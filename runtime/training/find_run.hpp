// Runs and their checkpoints on disk, for --resume.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// A run to go on with.
struct FoundRun {
  std::filesystem::path work_directory;
  std::vector<std::filesystem::path> checkpoints;  ///< the newest first
  std::vector<std::string> notes;  ///< what has changed since, and what was passed over
};

/// The run in `base` with the newest checkpoint of this experiment, or nothing. `trainer`: name of
/// the folder of this trainer in that of the run; empty: the run has none.
std::optional<FoundRun> find_run(std::filesystem::path const& base, Plan const& plan,
                                 std::string const& trainer);

/// The run of `folder`: its own, or that of checkpoints. The problem says why it has no checkpoint
/// that `plan` can go on from, and what to do.
Result<FoundRun> open_run(std::filesystem::path const& folder, Plan const& plan,
                          std::string const& trainer);

}  // namespace lbann::runtime
