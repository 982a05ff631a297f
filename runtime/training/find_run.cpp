// Looks through folders of runs.
#include "runtime/training/find_run.hpp"

#include "runtime/callbacks/checkpoint_policy.hpp"
#include "runtime/checkpoints/checkpoint_folder.hpp"
#include "runtime/checkpoints/plan_differences.hpp"

namespace lbann::runtime {

namespace fs = std::filesystem;

namespace {

/// When it was written, once it is known that `plan` can go on from it.
Result<std::int64_t> examine(fs::path const& checkpoint, Plan const& plan,
                             std::vector<std::string>& notes) {
  auto const manifest = read_manifest(checkpoint);
  if (!manifest) return manifest.problem();
  auto const bytes = read_plan_bytes(checkpoint, manifest.value());
  if (!bytes) return bytes.problem();
  auto const saved = decode(bytes.value());
  if (!saved) return Problem{checkpoint.string() + ": " + saved.problem().message};
  auto differences = compare_plans(saved.value(), plan);
  if (differences.refusal)
    return Problem{checkpoint.string() + ": is of another experiment: " + *differences.refusal};
  for (auto& note : differences.allowed)
    notes.push_back("changed since the checkpoint: " + std::move(note));
  return manifest.value().written;
}

/// Keeps the checkpoints that `plan` can go on from, and the time of the newest of them.
std::optional<std::int64_t> keep_usable(FoundRun& run, Plan const& plan) {
  std::optional<std::int64_t> newest;
  std::vector<fs::path> usable;
  for (auto const& checkpoint : run.checkpoints) {
    std::vector<std::string> notes;
    auto const written = examine(checkpoint, plan, notes);
    if (!written) {
      run.notes.push_back("passed over: " + written.problem().message);
      continue;
    }
    if (!newest) {
      newest = written.value();
      run.notes.insert(run.notes.end(), notes.begin(), notes.end());
    }
    usable.push_back(checkpoint);
  }
  run.checkpoints = std::move(usable);
  return newest;
}

/// The run that has the checkpoint folder `given`, by the place of its checkpoints; empty: none.
fs::path run_of_checkpoints(fs::path const& given, std::string const& trainer,
                            FolderOptions const& options, Plan const& plan) {
  std::error_code error;
  if (!options.checkpoints.empty())
    return fs::absolute(options.base) / (trainer.empty() ? given : given.parent_path()).filename();
  auto path = given;
  for (auto const& part : checkpoint_policy(plan).folder.lexically_normal())
    if (!part.empty() && part != ".") path = path.parent_path();
  return trainer.empty() ? path : path.parent_path();
}

}  // namespace

fs::path folder_of_checkpoints(fs::path const& run, std::string const& trainer,
                               FolderOptions const& options, Plan const& plan) {
  auto const own = [&](fs::path const& folder) {
    return trainer.empty() ? folder : folder / trainer;
  };
  if (!options.checkpoints.empty())
    return own(fs::absolute(options.checkpoints).lexically_normal() / run.filename());
  return own(run) / checkpoint_policy(plan).folder.lexically_normal();
}

std::optional<FoundRun> find_run(FolderOptions const& options, Plan const& plan,
                                 std::string const& trainer) {
  std::optional<FoundRun> best;
  std::int64_t best_time = 0;
  std::error_code error;
  auto const base = fs::absolute(options.base, error).lexically_normal();
  fs::directory_iterator entry(base, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (!fs::is_directory(entry->symlink_status(error))) continue;
    FoundRun run{entry->path(),
                 list_checkpoints(folder_of_checkpoints(entry->path(), trainer, options, plan)),
                 {}};
    auto const time = run.checkpoints.empty() ? std::nullopt : keep_usable(run, plan);
    if (!time) continue;
    bool const newer = !best || *time > best_time ||
                       (*time == best_time && run.work_directory > best->work_directory);
    if (!newer) continue;
    best = std::move(run);
    best_time = *time;
  }
  return best;
}

Result<FoundRun> open_run(FolderOptions const& options, Plan const& plan,
                          std::string const& trainer) {
  auto const& folder = options.resume_from;
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return Problem{folder.string() +
                   ": is no folder; --resume takes that of a run, or a checkpoint"};
  auto const given = fs::canonical(folder, error);
  auto const run_of = [&](fs::path const& path) {
    return run_of_checkpoints(path, trainer, options, plan);
  };
  FoundRun run;
  if (fs::exists(given / manifest_file_name, error))
    run = {run_of(given.parent_path()), {given}, {}};
  else if (auto here = list_checkpoints(given); !here.empty())
    run = {run_of(given), std::move(here), {}};
  else
    run = {given, list_checkpoints(folder_of_checkpoints(given, trainer, options, plan)), {}};
  if (run.checkpoints.empty())
    return Problem{folder.string() +
                   ": holds no checkpoint; without --resume training begins anew"};
  // A run writes its files there: not into a folder that is no run's.
  if (!fs::exists(run.work_directory / trainer / plan_file_name, error))
    return Problem{folder.string() + ": lies in no folder of a run; name the run's own"};
  if (!keep_usable(run, plan)) {
    std::string text = folder.string() + ": no checkpoint of it can be gone on from";
    for (auto const& note : run.notes) text += "\n  " + note;
    return Problem{text};
  }
  return run;
}

}  // namespace lbann::runtime
