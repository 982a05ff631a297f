// The first rank looks and makes, all ranks agree on what it found.
#include "runtime/training/run_folders.hpp"

#include <unistd.h>

#include <ctime>

#include "runtime/communication/agreement.hpp"
#include "runtime/training/work_directory.hpp"

namespace lbann::runtime {

namespace fs = std::filesystem;

namespace {

constexpr double seconds_for_lock = 10;

/// The run to go on with; nothing where a new one begins. Collective.
Result<std::optional<FoundRun>> find_resumed(Ranks& ranks, FolderOptions const& options,
                                             Plan const& plan, std::string const& trainer) {
  if (!options.resume) return std::optional<FoundRun>();
  Result<Success> found = Success{};
  FoundRun run;
  if (ranks.is_root()) {
    if (options.resume_from.empty()) {
      if (auto newest = find_run(options, plan, trainer)) run = std::move(*newest);
    } else {
      auto opened = open_run(options, plan, trainer);
      if (opened)
        run = std::move(opened).value();
      else
        found = opened.problem();
    }
  }
  if (auto agreed = agree_on_status(*ranks.world, std::move(found)); !agreed)
    return agreed.problem();
  // All trainers go on in the run of the first.
  run.work_directory = broadcast_text(*ranks.world, run.work_directory.string());
  if (run.work_directory.empty()) return std::optional<FoundRun>();
  std::string list;
  for (auto const& path : run.checkpoints) list += path.string() + '\n';
  list = broadcast_text(*ranks.trainer, list);
  run.checkpoints.clear();
  for (std::size_t begin = 0; begin < list.size(); begin = list.find('\n', begin) + 1)
    run.checkpoints.emplace_back(list.substr(begin, list.find('\n', begin) - begin));
  Result<Success> complete = Success{};
  if (run.checkpoints.empty())
    complete = Problem{run.work_directory.string() + ": trainer " + std::to_string(ranks.number) +
                       " has no checkpoint there"};
  if (auto agreed = agree_on_status(*ranks.world, std::move(complete)); !agreed)
    return agreed.problem();
  return std::optional(std::move(run));
}

}  // namespace

Result<RunFolders> open_run_folders(Ranks& ranks, FolderOptions const& options, Plan const& plan) {
  auto& world = *ranks.world;
  bool const first = world.rank() == 0;
  auto const trainer =
      ranks.trainers == 1 ? std::string() : "trainer" + std::to_string(ranks.number);
  RunFolders folders;
  auto resumed = find_resumed(ranks, options, plan, trainer);
  if (!resumed) return resumed.problem();
  folders.resumed = std::move(resumed).value();
  if (folders.resumed) {
    folders.run = folders.resumed->work_directory;
  } else {
    Result<fs::path> made = fs::path();
    if (first) made = make_work_directory(options.base, plan.experiment, std::time(nullptr));
    if (auto agreed = agree_on_status(world, made); !agreed) return agreed.problem();
    folders.run = broadcast_text(world, made.value().string());
  }
  folders.runs = folders.run.parent_path();
  folders.trainer = trainer.empty() ? folders.run : folders.run / trainer;
  std::error_code error;
  if (ranks.is_root()) fs::create_directory(folders.trainer, error);
  Result<Success> own = Success{};
  if (error) own = Problem{folders.trainer.string() + ": cannot be created: " + error.message()};
  if (own && first) {
    auto lock = RunLock::take(folders.trainer / "log", seconds_for_lock);
    if (lock)
      folders.lock = std::move(lock).value();
    else
      own = lock.problem();
  }
  if (auto agreed = agree_on_status(world, std::move(own)); !agreed) return agreed.problem();
  return folders;
}

Result<Success> point_latest(fs::path const& run) {
  auto const link = run.parent_path() / "latest";
  std::error_code error;
  auto const status = fs::symlink_status(link, error);
  if (fs::exists(status) && !fs::is_symlink(status))
    return Problem{link.string() + " is no link and stays as it is"};
  // A rename, so that there is always one of the two.
  auto const fresh = run.parent_path() / ("latest.saving-" + std::to_string(::getpid()));
  fs::remove(fresh, error);
  fs::create_directory_symlink(run.filename(), fresh, error);
  if (!error) fs::rename(fresh, link, error);
  if (!error) return Success{};
  auto const why = error.message();
  fs::remove(fresh, error);
  return Problem{link.string() + ": no link can be made: " + why};
}

}  // namespace lbann::runtime
