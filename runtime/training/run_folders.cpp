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

/// Checkpoints whose parts lie on this job's nodes.
std::vector<LocalCheckpoint> find_local(Ranks& ranks, FolderOptions const& options) {
  if (!options.resume || options.local.empty()) return {};
  return find_local_checkpoints(*ranks.trainer, options.local);
}

/// Completes what a job that was killed had not yet brought to the folder of checkpoints.
/// Collective over the trainer.
Result<Success> drain(Ranks& ranks, FolderOptions const& options, Plan const& plan,
                      std::string const& trainer, FoundRun& run) {
  auto const parts = folder_of_parts(run.work_directory, trainer, options);
  if (parts.empty()) return Success{};
  auto drained = drain_local(*ranks.trainer, run.local, parts.parent_path(),
                             folder_of_checkpoints(run.work_directory, trainer, options, plan));
  if (!drained) {
    if (run.checkpoints.empty()) return drained.problem();
    if (!drained.problem().message.empty())
      run.notes.push_back("passed over: " + drained.problem().message);
    return Success{};
  }
  if (drained.value()) {
    run.notes.push_back("brought from local folders: " + drained.value()->string());
    run.checkpoints.insert(run.checkpoints.begin(), *drained.value());
  }
  // Before any rank writes there again.
  remove_parts(parts);
  ranks.trainer->barrier();
  return Success{};
}

/// The run to go on with; nothing where a new one begins. Collective.
Result<std::optional<FoundRun>> find_resumed(Ranks& ranks, FolderOptions const& options,
                                             Plan const& plan, std::string const& trainer,
                                             std::span<LocalCheckpoint const> local) {
  if (!options.resume) return std::optional<FoundRun>();
  Result<Success> found = Success{};
  FoundRun run;
  if (ranks.is_root()) {
    if (options.resume_from.empty()) {
      if (auto newest = find_run(options, plan, trainer, local)) run = std::move(*newest);
    } else {
      auto opened = open_run(options, plan, trainer, local);
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
  if (run.checkpoints.empty() && run.local == nullptr && ranks.is_root())
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
  auto const local = find_local(ranks, options);
  auto resumed = find_resumed(ranks, options, plan, trainer, local);
  if (!resumed) return resumed.problem();
  folders.resumed = std::move(resumed).value();
  if (folders.resumed) {
    folders.run = folders.resumed->work_directory;
  } else {
    Result<fs::path> made = fs::path();
    if (first)
      made = make_work_directory(options.base, options.checkpoints, plan.experiment,
                                 std::time(nullptr));
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
  if (folders.resumed) {
    auto drained = drain(ranks, options, plan, trainer, *folders.resumed);
    if (auto agreed = agree_on_status(world, std::move(drained)); !agreed) return agreed.problem();
  }
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
