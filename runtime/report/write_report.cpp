// Folders in, a page out.
#include "runtime/report/write_report.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/checkpoints/replacing_file.hpp"
#include "runtime/process/exit_code.hpp"
#include "runtime/process/fail.hpp"
#include "runtime/report/page.hpp"
#include "schemas/files/standard_streams.hpp"

namespace lbann::runtime {

namespace {

/// The last `count` parts of a path.
std::string end_of(std::filesystem::path path, std::size_t count) {
  std::filesystem::path end;
  for (; count > 0 && path.has_filename(); --count, path = path.parent_path())
    end = path.filename() / end;
  auto text = end.string();
  if (text.ends_with('/')) text.pop_back();
  return text;
}

/// Runs of one name get as much of their paths as tells them apart.
void tell_apart(std::vector<RunHistory>& runs) {
  std::map<std::string, std::vector<RunHistory*>> by_name;
  for (auto& run : runs) by_name[run.name].push_back(&run);
  for (auto const& [name, same] : by_name) {
    std::set<std::string> names;
    for (std::size_t parts = 2; same.size() > 1 && names.size() < same.size(); ++parts) {
      names.clear();
      for (auto* const run : same) names.insert(run->name = end_of(run->folder, parts));
    }
  }
}

Result<std::vector<RunHistory>> read_runs(ReportOptions const& options) {
  std::vector<RunHistory> runs;
  for (auto const& folder : options.folders) {
    auto const found = folders_of_run(folder);
    if (!found) return found.problem();
    for (auto const& path : found.value()) {
      auto run = read_history(path);
      if (!run) return run.problem();
      // `latest` and the folder it leads to are one run.
      auto const same = [&](RunHistory const& other) { return other.folder == run.value().folder; };
      if (std::ranges::none_of(runs, same)) runs.push_back(std::move(run).value());
    }
  }
  tell_apart(runs);
  return runs;
}

}  // namespace

int write_report(ReportOptions const& options) {
  auto const runs = read_runs(options);
  if (!runs) return fail(runs.problem(), exit_file);
  auto const page = page_of(runs.value());
  if (!page) return fail(page.problem(), exit_file);
  auto file = ReplacingFile::create(options.page);
  if (!file) return fail(file.problem(), exit_file);
  auto written = file.value().write(page.value());
  if (written) written = file.value().replace_target();
  if (written) written = print("report in " + options.page.string() + "\n");
  return written ? exit_good : fail(written.problem(), exit_file);
}

}  // namespace lbann::runtime
