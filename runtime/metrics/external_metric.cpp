// Metrics computed by other programs.
#include "runtime/metrics/external_metric.hpp"

#include <charconv>
#include <chrono>
#include <limits>
#include <thread>

#include "runtime/process/signals.hpp"
#include "schemas/metrics/executable_metric.hpp"
#include "schemas/metrics/python_metric.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/processes/python_interpreter.hpp"
#include "schemas/processes/run_child.hpp"

namespace lbann::runtime {

namespace {

/// Redirects the function's own output to standard error, so that only its value is read. Modules
/// are looked for where the run was started.
constexpr std::string_view python_script = R"(import importlib, os, sys
answer = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
output, folder, module, function, model = sys.argv[1:]
sys.path[0] = os.getcwd()
if folder:
    sys.path.append(os.path.abspath(folder))
os.chdir(output)
answer.write(repr(float(getattr(importlib.import_module(module), function)(model, 0))))
)";

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  auto const begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// A program's output; if it is long, only its end.
std::string end_of(std::string_view text) {
  constexpr std::size_t most = 2000;
  text = trimmed(text);
  if (text.size() <= most) return std::string(text);
  return "... " + std::string(text.substr(text.size() - most));
}

/// A program that is named by a path from here, from anywhere.
std::string from_anywhere(std::string const& program) {
  std::error_code error;
  bool const path = program.find('/') != program.npos && std::filesystem::exists(program, error);
  return path ? std::filesystem::absolute(program, error).string() : program;
}

/// The program and its arguments; none if this version does not know the type of metric.
std::vector<std::string> command_of(Record const& record, std::string const& output,
                                    std::string const& model) {
  if (auto const metric = from_record<metrics::python_metric>(record))
    return {python_interpreter({}), "-c",           std::string(python_script), output,
            metric->module_dir,     metric->module, metric->function,           model};
  if (auto const metric = from_record<metrics::executable_metric>(record))
    return {
        "/bin/sh",
        "-c",
        "cd \"$1\" && " + from_anywhere(metric->filename) + " " + metric->other_args + " \"$2\"",
        "sh",
        output,
        model};
  return {};
}

Result<double> number_from(ChildOutcome const& outcome) {
  if (outcome.exit_code != 0)
    return Problem{"failed with exit code " + std::to_string(outcome.exit_code) +
                   (trimmed(outcome.errors).empty() ? "" : ":\n" + end_of(outcome.errors))};
  auto const text = trimmed(outcome.output);
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return Problem{"printed `" + end_of(text) + "`, not one number"};
  return value;
}

/// Whether the program died of what ends this run: batch systems signal all processes of a step, in
/// any order.
bool ended_with_run(ChildOutcome const& outcome) {
  if (outcome.stopped) return true;
  auto const signal = outcome.exit_code - 128;
  if (signal != SIGINT && signal != SIGTERM && signal != SIGUSR1) return false;
  for (int looks = 0; looks < 100 && SignalWatch::received() == 0; ++looks)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return SignalWatch::received() != 0;
}

}  // namespace

Result<double> evaluate_external_metric(Measure const& metric, Plan const& plan,
                                        std::filesystem::path const& output_folder,
                                        std::int64_t trainer) {
  auto const problem = [&](std::string const& what) {
    return Problem{
        located(plan.sources, metric.external->span, "metric `" + metric.name + "` " + what)};
  };
  auto const command = command_of(metric.external->record, output_folder.string(),
                                  "trainer" + std::to_string(trainer) + "/model0");
  if (command.empty())
    return problem("is of a type this version does not know; compile the experiment again");
  auto const outcome = run_child(command, [] { return SignalWatch::received() != 0; });
  if (!outcome) return problem("cannot be asked: " + outcome.problem().message);
  if (ended_with_run(outcome.value())) return std::numeric_limits<double>::quiet_NaN();
  auto value = number_from(outcome.value());
  if (!value) return problem(value.problem().message);
  return value;
}

}  // namespace lbann::runtime
