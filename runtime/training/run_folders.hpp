// The folders that a run writes to: a new one, or those of the run it goes on with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "runtime/communication/trainers.hpp"
#include "runtime/training/find_run.hpp"
#include "runtime/training/run_lock.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

struct RunFolders {
  std::filesystem::path runs;  ///< holds this run and others
  std::filesystem::path run;
  std::filesystem::path trainer;    ///< in it; the same where there is one trainer
  std::optional<FoundRun> resumed;  ///< nothing: a new run
  RunLock lock;                     ///< on the first rank
};

/// Makes the folder of a new run, `<model>_<YYYYMMDD_HHMMSS>` in the base, or finds the one to go
/// on with; for several trainers one in it for each. Collective.
Result<RunFolders> open_run_folders(Ranks& ranks, FolderOptions const& options, Plan const& plan);

/// Lets the link `latest` beside the run lead to it. Where something else has that name, or links
/// cannot be made, the problem says so and nothing is changed.
Result<Success> point_latest(std::filesystem::path const& run);

}  // namespace lbann::runtime
