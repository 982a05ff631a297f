// Lines of JSON, and the plan for what it says of files and units.
#include "runtime/report/run_history.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <variant>

#include "runtime/loading/plan_file.hpp"
#include "schemas/callbacks/list.hpp"
#include "schemas/callbacks/reported_file.hpp"

namespace lbann::runtime {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

double number(json const& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

NamedNumbers numbers(json const& object) {
  NamedNumbers all;
  for (auto const& [name, value] : object.items()) all[name] = number(value);
  return all;
}

ExecutionMode mode_of(std::string const& name) {
  for (auto const mode :
       {ExecutionMode::training, ExecutionMode::validation, ExecutionMode::testing})
    if (name == name_of(mode)) return mode;
  throw json::other_error::create(501, "`mode` is `" + name + "`", nullptr);
}

void add_event(RunHistory& run, json const& line) {
  if (line.at("event") == "step") {
    run.steps.push_back({line.at("step"), number(line.at("objective")),
                         numbers(line.value("learning_rates", json::object()))});
    return;
  }
  if (line.at("event") == "progress") return;  // within an epoch: the curves are of epochs
  PassLine pass;
  pass.mode = mode_of(line.at("mode"));
  pass.epoch = line.at("epoch");
  pass.samples = line.at("samples");
  pass.seconds = line.at("seconds");
  pass.waited = line.value("waited", 0.0);
  pass.objective = number(line.at("objective"));
  pass.complete = line.at("complete");
  pass.metrics = numbers(line.at("metrics"));
  run.passes.push_back(std::move(pass));
}

void add_start(RunHistory& run, json const& line) {
  run.starts.push_back({line.at("time"), line.at("program"), line.at("device"),
                        line.at("directory"), line.at("libraries"), line.at("command"),
                        line.at("hosts"), line.at("ranks"), line.at("threads"),
                        line.at("resumed")});
}

/// Calls `take` with each line; the last one may lack its end.
Result<Success> each_line(fs::path const& path, std::function<void(json const&)> const& take) {
  std::ifstream file(path);
  if (!file) return Problem{path.string() + ": cannot be read"};
  std::string text;
  for (std::int64_t number = 1; std::getline(file, text); ++number) {
    bool const whole = !file.eof();
    try {
      take(json::parse(text));
    } catch (json::exception const& error) {
      if (!whole) break;
      return Problem{path.string() + ":" + std::to_string(number) +
                     ": is not a line of this file (" + error.what() + ")"};
    }
  }
  return Success{};
}

/// Of a path with `*`, the file of the last epoch that there is.
void find_file(RunHistory& run, callbacks::ReportedFile const& file) {
  auto& found =
      file.kind == callbacks::ReportedFile::Kind::image ? run.images : run.confusion_matrices;
  std::error_code error;
  auto const add = [&](std::string const& path, std::int64_t epochs) {
    // Callbacks write in the folder of the run, with `--layout lbann` in the one that holds it.
    for (auto const& base : {run.folder, run.folder.parent_path()}) {
      if (!fs::is_regular_file(base / path, error)) continue;
      found.push_back({epochs, file.title, base / path});
      return true;
    }
    return false;
  };
  auto const star = file.path.find('*');
  if (star == file.path.npos) {
    add(file.path, 0);
    return;
  }
  for (auto epochs = run.epochs(); epochs > 0; --epochs) {
    auto path = file.path;
    if (add(path.replace(star, 1, std::to_string(epochs)), epochs)) return;
  }
}

template <class... Ts>
std::vector<callbacks::ReportedFile> reported(Record const& record, std::variant<Ts...> const*) {
  std::vector<callbacks::ReportedFile> files;
  auto const attempt = [&]<class T>(T const*) {
    if (auto const known = from_record<T>(record)) files = callbacks::reported_by(*known);
  };
  (attempt(static_cast<Ts const*>(nullptr)), ...);
  return files;
}

void read_from_plan(RunHistory& run) {
  auto const file = read_plan(run.folder / "plan.bin");
  if (!file) {
    run.plan_problem = file.problem().message;
    return;
  }
  auto const& plan = file.value().plan;
  run.model = plan.experiment;
  for (auto const& metric : plan.metrics) run.units[metric.name] = metric.unit;
  for (auto const& weights : plan.weights)
    if (weights.learning_rate.valid())
      run.parameters += plan.program[weights.tensor].type.shape.elements(1);
  for (auto const& callback : plan.callbacks)
    for (auto const& reported_file :
         reported(callback.record, static_cast<DeclaredCallback const*>(nullptr)))
      find_file(run, reported_file);
}

}  // namespace

std::int64_t RunHistory::epochs() const {
  std::int64_t count = 0;
  for (auto const& pass : passes)
    if (pass.mode == ExecutionMode::training) count = std::max(count, pass.epoch + 1);
  return count;
}

Result<RunHistory> read_history(fs::path const& folder) {
  RunHistory run;
  run.folder = fs::weakly_canonical(folder);
  run.name = run.folder.filename().string();
  if (run.name.starts_with("trainer"))
    run.name = run.folder.parent_path().filename().string() + "/" + run.name;
  auto read =
      each_line(run.folder / "metrics.jsonl", [&](json const& line) { add_event(run, line); });
  if (!read) return read.problem();
  std::error_code error;
  if (auto const starts = run.folder / "provenance.jsonl"; fs::exists(starts, error)) {
    read = each_line(starts, [&](json const& line) { add_start(run, line); });
    if (!read) return read.problem();
  }
  read_from_plan(run);
  return run;
}

Result<std::vector<fs::path>> folders_of_run(fs::path const& folder) {
  std::error_code error;
  std::vector<fs::path> found;
  if (fs::exists(folder / "metrics.jsonl", error)) found.push_back(folder);
  for (int trainer = 0; found.size() == static_cast<std::size_t>(trainer); ++trainer) {
    auto const path = folder / ("trainer" + std::to_string(trainer));
    if (fs::exists(path / "metrics.jsonl", error)) found.push_back(path);
  }
  if (found.empty())
    return Problem{folder.string() +
                   ": is not the folder of a run, which has a metrics.jsonl, or one in trainer0"};
  return found;
}

}  // namespace lbann::runtime
