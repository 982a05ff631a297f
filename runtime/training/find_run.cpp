// Looks through folders of runs.
#include "runtime/training/find_run.hpp"

#include <algorithm>

#include "runtime/callbacks/checkpoint_policy.hpp"
#include "runtime/checkpoints/checkpoint_folder.hpp"
#include "runtime/checkpoints/plan_differences.hpp"
#include "schemas/files/regular_file.hpp"

namespace lbann::runtime {

namespace fs = std::filesystem;

namespace {

/// Whether `plan` can go on from a checkpoint with the plan in `bytes`.
Result<Success> compare(fs::path const& checkpoint, std::span<std::uint8_t const> bytes,
                        Plan const& plan, std::vector<std::string>& notes) {
  auto const saved = decode(bytes);
  if (!saved) return Problem{checkpoint.string() + ": " + saved.problem().message};
  auto differences = compare_plans(saved.value(), plan);
  if (differences.refusal)
    return Problem{checkpoint.string() + ": is of another experiment: " + *differences.refusal};
  for (auto& note : differences.allowed)
    notes.push_back("changed since the checkpoint: " + std::move(note));
  return Success{};
}

/// When it was written, once it is known that `plan` can go on from it.
Result<std::int64_t> examine(fs::path const& checkpoint, Plan const& plan,
                             std::vector<std::string>& notes) {
  auto const manifest = read_manifest(checkpoint);
  if (!manifest) return manifest.problem();
  auto const bytes = read_plan_bytes(checkpoint, manifest.value());
  if (!bytes) return bytes.problem();
  if (auto same = compare(checkpoint, bytes.value(), plan, notes); !same) return same.problem();
  return manifest.value().written;
}

/// The one of `local` for this folder, if it is newer than the newest of `run`. Its plan may lie on
/// another node: it is that of the run.
LocalCheckpoint const* newer_local(FoundRun& run, fs::path const& parts, fs::path const& plan_file,
                                   Plan const& plan, std::span<LocalCheckpoint const> local) {
  auto const found = std::ranges::find(local, parts.filename().string(), &LocalCheckpoint::folder);
  if (found == local.end()) return nullptr;
  if (!run.checkpoints.empty()) {
    auto const newest = read_manifest(run.checkpoints.front());
    if (newest && newest.value().position.steps >= found->steps) return nullptr;
  }
  auto const file = RegularFile::open(plan_file.string());
  auto const bytes = file ? file.value().read_all() : file.problem();
  if (!bytes) return nullptr;
  std::vector<std::string> notes;
  if (!compare(plan_file.parent_path(), bytes.value(), plan, notes)) return nullptr;
  if (run.checkpoints.empty()) run.notes = std::move(notes);
  return &*found;
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

fs::path folder_of_parts(fs::path const& run, std::string const& trainer,
                         FolderOptions const& options) {
  if (options.local.empty()) return {};
  return local_folder(fs::absolute(options.local).lexically_normal(), run, trainer);
}

std::optional<FoundRun> find_run(FolderOptions const& options, Plan const& plan,
                                 std::string const& trainer,
                                 std::span<LocalCheckpoint const> local) {
  std::optional<FoundRun> best;
  std::int64_t best_time = 0;
  std::error_code error;
  auto const base = fs::absolute(options.base, error).lexically_normal();
  fs::directory_iterator entry(base, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (!fs::is_directory(entry->symlink_status(error))) continue;
    FoundRun run{entry->path(),
                 list_checkpoints(folder_of_checkpoints(entry->path(), trainer, options, plan)),
                 nullptr,
                 {}};
    std::optional<std::int64_t> time;
    if (!run.checkpoints.empty()) time = keep_usable(run, plan);
    run.local = newer_local(run, folder_of_parts(run.work_directory, trainer, options),
                            run.work_directory / trainer / plan_file_name, plan, local);
    if (run.local != nullptr) time = run.local->written;
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
                          std::string const& trainer, std::span<LocalCheckpoint const> local) {
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
    run = {run_of(given.parent_path()), {given}, nullptr, {}};
  else if (auto here = list_checkpoints(given); !here.empty())
    run = {run_of(given), std::move(here), nullptr, {}};
  else
    run = {
        given, list_checkpoints(folder_of_checkpoints(given, trainer, options, plan)), nullptr, {}};
  bool const usable = !run.checkpoints.empty() && keep_usable(run, plan);
  if (!fs::exists(given / manifest_file_name, error))  // not where one checkpoint is asked for
    run.local = newer_local(run, folder_of_parts(run.work_directory, trainer, options),
                            run.work_directory / trainer / plan_file_name, plan, local);
  if (run.local != nullptr) return run;
  if (run.checkpoints.empty() && run.notes.empty())
    return Problem{folder.string() +
                   ": holds no checkpoint; without --resume training begins anew"};
  // A run writes its files there: not into a folder that is no run's.
  if (!fs::exists(run.work_directory / trainer / plan_file_name, error))
    return Problem{folder.string() + ": lies in no folder of a run; name the run's own"};
  if (!usable) {
    std::string text = folder.string() + ": no checkpoint of it can be gone on from";
    for (auto const& note : run.notes) text += "\n  " + note;
    return Problem{text};
  }
  return run;
}

}  // namespace lbann::runtime
