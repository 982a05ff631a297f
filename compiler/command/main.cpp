// lbann-compile: an experiment in, a plan out.
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/command/version.hpp"
#include "compiler/compile.hpp"
#include "compiler/diagnostics/formats.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/reference/explain.hpp"
#include "compiler/reference/json_schema.hpp"
#include "compiler/reference/pages.hpp"
#include "compiler/reports/render.hpp"
#include "compiler/reports/replay_files.hpp"
#include "compiler/source/experiment_files.hpp"
#include "compiler/source/files.hpp"
#include "compiler/source/text_checks.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/files/standard_streams.hpp"
#include "schemas/plan/header.hpp"
#include "schemas/reports/fits.hpp"
#include "schemas/specialization/pipeline.hpp"
#include "schemas/vocabulary/bytes_text.hpp"

namespace {

using namespace lbann;
using namespace lbann::compiler;

// 0 good; 1 the experiment is wrong; 2 the command line is wrong; 3 a file cannot be read or
// written; 70 a fault of the compiler.
enum ExitCode {
  good = 0,
  wrong_experiment = 1,
  wrong_command_line = 2,
  file_problem = 3,
  internal_error = 70
};

int fail(ExitCode code, std::string const& message) {
  std::fprintf(stderr, "lbann-compile: %s\n", message.c_str());
  return code;
}

bool colour_wanted() {
  auto const* refused = std::getenv("NO_COLOR");
  auto const* terminal = std::getenv("TERM");
  bool const dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return (refused == nullptr || *refused == '\0') && !dumb && ::isatty(STDERR_FILENO) == 1;
}

/// Prints all that the command was asked for.
int give(std::string_view text) {
  auto const printed = print(text);
  return printed ? good : fail(file_problem, printed.problem().message);
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
}

std::string list_of_stages() {
  std::string text;
  for (auto const& stage : stages()) {
    text += padded(stage.name, 11) + ' ' + std::string(stage.folder) + '\n';
    for (auto const& [word, what] :
         {std::pair("takes ", stage.takes), std::pair("gives ", stage.gives),
          std::pair("rules out ", stage.excludes)})
      text += std::string(12, ' ') + word + std::string(what) + '\n';
  }
  return text;
}

std::string list_of_passes() {
  std::string text;
  for (auto const& pass : pipeline())
    text += padded(pass.name, 25) + ' ' + std::string(pass.summary) + '\n';
  for (auto const& pass : specialization_passes())
    text += padded(pass.name, 25) + " On each rank: " + std::string(pass.summary) + '\n';
  return text;
}

int print_reference(std::string const& name) {
  Declarations const declarations;
  if (auto const text = page(name, declarations)) return give(*text);
  std::string names;
  for (auto const& other : page_names(declarations)) names += (names.empty() ? "" : ", ") + other;
  return fail(wrong_command_line, "`" + name + "` is no reference page; there are " + names);
}

int print_explanation(std::string const& name) {
  Declarations const declarations;
  auto const* info = diagnostic_named(name);
  if (auto const text = info != nullptr ? explain(*info) : explain(name, declarations);
      !text.empty())
    return give(text);
  auto names = explained_names(declarations);
  for (auto const* other : catalogue()) names.push_back(other->code);
  auto const meant = nearest(name, names);
  return fail(
      wrong_command_line,
      "`" + name +
          "` is no code of a diagnostic and no name of a layer, optimizer, "
          "initializer, data reader or callback" +
          (meant.empty() ? "; `--reference diagnostics` lists the codes" : "; " + question(meant)));
}

/// Whether all errors are about what stands on the command line.
bool blames_command_line(Compiled const& compiled) {
  for (auto const& diagnostic : compiled.report.diagnostics()) {
    if (diagnostic.info->severity != Severity::error) continue;
    auto const file = diagnostic.span.file;
    if (file >= compiled.sources.size() || compiled.sources[file].name != command_line_name)
      return false;
  }
  return true;
}

/// What the command line asks to be told of a run.
struct ReportRequest {
  std::vector<ReportKind> kinds;  ///< none: no report
  RunSize size;
  Machine machine;         ///< that seconds are told for
  std::int64_t rank = 0;   ///< of a trainer, for `dump_after`
  std::string dump_after;  ///< the pass on each rank whose outcome is printed; empty: none
  bool json = false;
  std::int64_t fits = 0;  ///< bytes of a rank that the run must fit into; 0: not asked
  std::string replay;     ///< folder for traces that SimGrid replays; empty: not asked

  bool is_report() const { return !kinds.empty() || fits > 0 || !replay.empty(); }
};

/// The program of one rank after a pass of its specialization.
int print_specialization(Plan const& plan, ReportRequest const& request) {
  auto const placement = placement_of(plan, request.size, request.rank);
  if (!placement) return fail(wrong_command_line, placement.problem().message);
  auto const dump = dump_after(request.dump_after, plan, placement.value());
  if (!dump) return fail(wrong_command_line, dump.problem().message);
  auto const& [text, fault] = dump.value();
  return fault ? fail(internal_error, *fault + "\n" + text) : give(text);
}

/// Makes the plan of an experiment with a change; none where that cannot be.
using Variant = std::function<std::optional<Plan>(std::string const& override)>;

/// Adds the changes of an experiment with which it fits: the fewest micro-batches, activations
/// computed again, updates and weights in parts.
void try_changes(Plan const& plan, ReportRequest const& request, Variant const& variant,
                 Fit& found) {
  auto const fits = [&](std::string const& override, std::string words) {
    auto const changed = variant(override);
    if (!changed) return false;
    auto const other = fit(*changed, request.size, found.limit);
    if (!other || !other.value().fits()) return false;
    found.edits.push_back({std::move(words), other.value().needed});
    return true;
  };
  for (auto count = plan.accumulate + 1; count <= plan.mini_batch_size; ++count) {
    auto const text = std::to_string(count);
    if (plan.mini_batch_size % count == 0 &&
        fits("trainer.accumulate=" + text, "trainer: {accumulate: " + text + "}"))
      break;
  }
  fits("trainer.recompute=true", "trainer: {recompute: true}");
  fits("trainer.shard_updates=true", "trainer: {shard_updates: true}");
  fits("model.sharded=true", "model: {sharded: true}");
}

/// Says whether the run fits; exit code 1 if it does not.
int print_fit(Plan const& plan, ReportRequest const& request, Variant const& variant) {
  auto found = fit(plan, request.size, request.fits);
  if (!found) return fail(wrong_command_line, found.problem().message);
  auto& [needed, limit, items, edits] = found.value();
  if (!found.value().fits()) try_changes(plan, request, variant, found.value());
  if (found.value().fits())
    return give("fits: a rank needs " + bytes_text(needed) + " of " + bytes_text(limit) + "\n");
  auto text = "does not fit: a rank needs " + bytes_text(needed) + ", it has " + bytes_text(limit) +
              "\nlargest:\n";
  auto const line = [](std::string const& words, std::int64_t bytes) {
    return "  " + padded(words + ' ', 60) + bytes_text(bytes) + "\n";
  };
  for (auto const& item : items) text += line(item.name, item.bytes);
  text += edits.empty() ? "no mesh, mini-batch or number of ranks fits\n" : "each of these fits:\n";
  for (auto const& edit : edits) text += line(edit.words, edit.bytes);
  auto const code = give(text);
  return code == good ? wrong_experiment : code;
}

int print_report(Plan const& plan, ReportRequest const& request, Variant const& variant) {
  if (!request.replay.empty()) {
    auto const placed = placement_of(plan, request.size, 0);
    if (!placed) return fail(wrong_command_line, placed.problem().message);
    if (auto const program = specialize(plan, placed.value()); !program)
      return fail(wrong_command_line, program.problem().message);
    auto const written = write_replay(plan, request.size, request.machine, request.replay);
    if (!written) return fail(file_problem, written.problem().message);
    if (request.kinds.empty() && request.fits == 0) return good;
  }
  if (request.fits > 0) return print_fit(plan, request, variant);
  auto const report = make_report(plan, request.size, request.machine);
  if (!report) return fail(wrong_command_line, report.problem().message);
  return give(request.json ? report_json(report.value(), request.kinds)
                           : report_text(report.value(), request.kinds));
}

std::span<std::uint8_t const> bytes_of(std::string_view text) {
  return {reinterpret_cast<std::uint8_t const*>(text.data()), text.size()};
}

/// A plan instead of an experiment: there is nothing left to compile, only to tell.
int report_plan(std::string const& path, std::string_view bytes, ReportRequest const& request) {
  if (!request.is_report() && request.dump_after.empty())
    return fail(wrong_command_line,
                path +
                    " is a plan already; --report tells of it, and --dump-after of a pass "
                    "on each rank shows it");
  auto const plan = decode(bytes_of(bytes));
  if (!plan) return fail(file_problem, path + ": " + plan.problem().message);
  if (!request.dump_after.empty())
    if (auto const code = print_specialization(plan.value(), request); code != good) return code;
  auto const none = [](std::string const&) { return std::optional<Plan>(); };
  return request.is_report() ? print_report(plan.value(), request, none) : good;
}

/// What the command line asks of each experiment.
struct Wishes {
  CompileOptions options;
  ReportRequest request;
  std::string output = "plan.bin";
  Format format = Format::human;
  bool check = false;
  bool warnings_as_errors = false;
};

/// With `--warnings-as-errors` a code where there are warnings.
int judge_warnings(Report const& report, Wishes const& wishes) {
  auto const warnings =
      std::ranges::count(report.sorted(), Severity::warning,
                         [](Diagnostic const* each) { return each->info->severity; });
  if (!wishes.warnings_as_errors || warnings == 0) return good;
  if (wishes.format != Format::human) return wrong_experiment;
  return fail(wrong_experiment, std::to_string(warnings) +
                                    (warnings == 1 ? " warning" : " warnings") +
                                    ", and --warnings-as-errors lets none pass");
}

/// Reads what is to be compiled: one text, or several messages of protobuf text. Good, or why not.
int read_texts(std::vector<std::string> const& paths, CompileOptions& options) {
  auto const name = [](std::string const& path) { return path == "-" ? "standard input" : path; };
  for (auto const& path : paths) {
    auto text = read_input(path, largest_messages);
    if (!text.good()) return fail(file_problem, text.problem().message);
    if (&path != &paths.front()) {
      options.further.push_back({name(path), std::move(text).value()});
      continue;
    }
    options.name = name(path);
    options.text = std::move(text).value();
    options.folder =
        open_descriptor(path) ? "" : std::filesystem::path(path).parent_path().string();
  }
  return good;
}

int compile_file(std::vector<std::string> const& paths, Wishes const& wishes,
                 Declarations const& declarations) {
  auto options = wishes.options;
  if (auto const code = read_texts(paths, options); code != good) return code;
  if (is_plan(bytes_of(options.text))) {
    auto whole = std::move(options.text);
    if (whole.size() > largest_messages) {  // as plans may be
      auto rest = read_input(paths.front());
      if (!rest.good()) return fail(file_problem, rest.problem().message);
      whole = open_descriptor(paths.front()) ? whole + rest.value() : std::move(rest).value();
    }
    return report_plan(paths.front(), whole, wishes.request);
  }

  auto const compiled = compile(options, declarations);
  auto const words = render(compiled.report, compiled.sources, wishes.format, colour_wanted());
  std::fputs(words.c_str(), stderr);
  if (compiled.internal_error) return fail(internal_error, compiled.internal_error->message);
  if (compiled.report.has_errors())
    return blames_command_line(compiled) ? wrong_command_line : wrong_experiment;
  if (compiled.problem) return fail(file_problem, compiled.problem->message);
  if (auto const code = judge_warnings(compiled.report, wishes); code != good) return code;
  if (auto const code = give(compiled.dump); code != good) return code;
  if (!compiled.plan || !options.emit.empty()) return good;
  if (!wishes.request.dump_after.empty())
    if (auto const code = print_specialization(*compiled.plan, wishes.request); code != good)
      return code;
  auto const variant = [&](std::string const& override) {
    auto changed = options;
    changed.overrides.push_back(override);
    return compile(changed, declarations).plan;
  };
  if (wishes.request.is_report()) return print_report(*compiled.plan, wishes.request, variant);
  if (wishes.check) return good;
  auto const bytes = encode(*compiled.plan);
  auto const written =
      write_file(wishes.output, {reinterpret_cast<char const*>(bytes.data()), bytes.size()});
  return written.good() ? good : fail(file_problem, written.problem().message);
}

/// Checks all experiments in files and folders, goes on past broken ones, and counts. The code is
/// that of the worst one.
int check_all(std::vector<std::string> const& paths, Wishes const& wishes) {
  Declarations const declarations;
  std::size_t examined = 0, wrong = 0;
  int worst = good;
  auto const note = [&](int code) {
    wrong += code == good ? 0 : 1;
    worst = std::max(worst, code);
  };
  for (auto const& path : paths) {
    auto const files = experiment_files(path);
    if (!files.good()) note(fail(file_problem, files.problem().message));
    if (!files.good()) continue;
    for (auto const& file : files.value()) {
      ++examined;
      note(compile_file({file}, wishes, declarations));
    }
  }
  if (wishes.format != Format::human) return worst;
  auto const code = give(std::to_string(examined) + " experiment" + (examined == 1 ? "" : "s") +
                         " checked, " + std::to_string(wrong) + " wrong\n");
  return std::max(worst, code);
}

bool is_pass_on_ranks(std::string_view name) {
  auto const passes = specialization_passes();
  return std::ranges::find(passes, name, &SpecializationPass::name) != passes.end();
}

int compile_or_check(std::vector<std::string> const& paths, Wishes const& wishes) {
  if (is_pass_on_ranks(wishes.options.stop_after))
    return fail(wrong_command_line,
                "`" + wishes.options.stop_after +
                    "` runs on each rank, when a plan is loaded: "
                    "the compiler cannot stop after it, but --dump-after shows it");
  for (auto const& place : {wishes.options.stop_after, wishes.options.dump_after})
    if (!place.empty() && !is_stopping_place(place))
      return fail(wrong_command_line,
                  "`" + place + "` is no stage or pass; see --list-stages and --list-passes");
  if (paths.empty()) return fail(wrong_command_line, "which experiment? see --help");
  std::error_code ignored;
  bool const folder = std::filesystem::is_directory(paths.front(), ignored);
  if (wishes.check && (paths.size() > 1 || folder)) return check_all(paths, wishes);
  bool const messages = std::ranges::all_of(paths, [&](std::string const& path) {
    return is_messages(wishes.options.syntax.value_or(syntax_of(path)));
  });
  if (paths.size() > 1 && !messages)
    return fail(wrong_command_line,
                "one experiment makes one plan; several can be checked with --check, and only "
                "LBANN's messages can be spread over several files");
  Declarations const declarations;
  return compile_file(paths, wishes, declarations);
}

}  // namespace

int main(int argc, char** argv) {
  prepare_standard_streams();
  // Memory is not given back to the system while a model of many layers is taken apart and rebuilt.
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  ::mallopt(M_TOP_PAD, 16 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
  CLI::App app("Compiles an experiment to a plan that lbann-run trains.", "lbann-compile");
  Wishes wishes;
  auto& options = wishes.options;
  auto& request = wishes.request;
  std::vector<std::string> reports;
  std::vector<std::string> paths;
  std::string reference, code, syntax, dump_after, format = "human", report_format = "text";
  bool show_stages = false, show_passes = false, show_schema = false;
  app.set_version_flag("--version", version_text,
                       "Print versions of this program and of its libraries");
  app.add_option("experiment", paths,
                 "File in YAML, TOML or LBANN's protobuf text (the latter may be several: model, "
                 "reader, optimizer); - for standard input; with --check any number of files and "
                 "folders; or a plan, for --report")
      ->expected(0, -1);
  app.add_option("--syntax", syntax, "Syntax of the files, where their names do not tell it")
      ->check(CLI::IsMember(std::vector<std::string>(syntax_names.begin(), syntax_names.end())));
  app.add_option("-o,--output", wishes.output, "The plan")->capture_default_str();
  app.add_option("--set", options.overrides,
                 "Replace a value, e.g. trainer.mini_batch_size=128, "
                 "data_reader.digits[test].num_samples=9; "
                 "may be repeated")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
  app.add_option("--field", options.fields,
                 "Shape of one sample of a data field, e.g. samples=1x28x28; may be repeated")
      ->type_name("FIELD=DIMS")
      ->expected(1)
      ->take_all();
  app.add_option("--data-root", options.data_root, "Folder that data files are looked up in first")
      ->type_name("DIR");
  app.add_flag("--probe-python", options.probe_python,
               "Run the modules of python readers to learn the dims of their samples");
  app.add_option("--python", options.python,
                 "Interpreter that runs them ($LBANN_PYTHON, or python3)");
  app.add_flag("--check", wishes.check, "Write nothing; of folders, check every experiment below");
  app.add_flag("--allow-unbuilt", options.allow_unbuilt,
               "Only warn of what is declared but not supported yet; the plan cannot be run");
  app.add_option(
         "--emit", options.emit,
         "Print instead of writing a plan: the experiment as minimal yaml or toml, the graph "
         "as text, dot or svg, or the plan as text")
      ->check(CLI::IsMember(std::vector<std::string>(emitted_names.begin(), emitted_names.end())));
  app.add_option("--stop-after", options.stop_after, "Go no further than this")
      ->type_name("STAGE|PASS");
  app.add_option("--dump-after", dump_after,
                 "Print what is there after this; after a pass on each rank, the program of --rank "
                 "in a run of --ranks")
      ->type_name("STAGE|PASS");
  app.add_option(
         "--report", reports,
         "Write no plan but tell what a run will hold, compute or send, and when; may be repeated")
      ->check(CLI::IsMember(report_kind_names))
      ->expected(1)
      ->take_all();
  app.add_option_function<std::string>(
      "--fits",
      [&request](std::string const& text) {
        auto const bytes = parse_bytes(text);
        if (!bytes) throw CLI::ValidationError("--fits", text + " is no size, such as 24GiB");
        request.fits = *bytes;
      },
      "Write no plan but say whether each process of the run needs at most so much memory (24GiB), "
      "else what takes it and what would fit; exit code 1 then");
  app.add_option("--rank", request.rank, "Process of a trainer that --dump-after shows")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 32));
  app.add_option("--ranks", request.size.ranks, "Processes of the run reported on")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 32));
  app.add_option("--procs-per-trainer", request.size.procs_per_trainer,
                 "Processes of one trainer; all of them if not given")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 32));
  app.add_option_function<std::string>(
      "--mesh",
      [&request](std::string const& text) {
        auto const mesh = parse_mesh(text);
        if (!mesh) throw CLI::ValidationError("--mesh", mesh.problem().message);
        request.size.mesh = mesh.value();
      },
      "Arrangement of the processes of a trainer, over whose rows and columns weights of "
      "model-parallel layers are split: rows=2,columns=2 (that with the fewest bytes sent)");
  app.add_option("--procs-per-node", request.size.procs_per_node,
                 "Processes on one node, which share memory; all of them if not given")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 32));
  app.add_option("--mini-batch", request.size.mini_batch,
                 "Samples of a trainer's mini-batch; those of the experiment if not given")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  app.add_option("--threads", request.size.threads,
                 "Threads of a process; each has scratch memory of its own")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option_function<std::string>(
      "--machine",
      [&request](std::string const& text) {
        auto const machine = parse_machine(text);
        if (!machine) throw CLI::ValidationError("--machine", machine.problem().message);
        request.machine = machine.value();
      },
      "What --report trace and --replay take a rank for: operations, bytes of memory and of "
      "network per second, seconds of a message "
      "(flops=1e11,memory=1e10,network=1e10,latency=2e-6)");
  app.add_option("--replay", request.replay,
                 "Write no plan but what every process does in a step to this folder, as a trace "
                 "that SimGrid replays on a cluster: smpirun -replay DIR/replay.txt")
      ->type_name("DIR");
  app.add_option("--report-format", report_format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_flag("--list-stages", show_stages, "Print the stages");
  app.add_flag("--list-passes", show_passes, "Print the passes in their order");
  app.add_option("--reference", reference, "Print a reference page: layers, optimizers, ...")
      ->type_name("PAGE");
  app.add_flag("--print-schema", show_schema, "Print the language as JSON Schema, for editors");
  app.add_option("--explain", code,
                 "Print what a diagnostic means, e.g. unknown-field, or what a layer, optimizer, "
                 "initializer, data reader or callback does")
      ->type_name("CODE|NAME");
  app.add_flag("--warnings-as-errors", wishes.warnings_as_errors,
               "End with exit code 1 and without a plan where there are warnings");
  app.add_option("--format", format, "How diagnostics are written: human, json or github")
      ->check(CLI::IsMember(std::vector<std::string>(format_names.begin(), format_names.end())))
      ->capture_default_str();
  app.footer(
      "Exit codes: 0 good, 1 the experiment is wrong, 2 the command line is wrong, 3 a file "
      "cannot be read or written.");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& problem) {
    std::ostringstream help;
    if (app.exit(problem, help, std::cerr) != 0) return wrong_command_line;
    return give(help.str());
  }
  if (show_stages || show_passes)
    return give((show_stages ? list_of_stages() : "") + (show_passes ? list_of_passes() : ""));
  if (show_schema) return give(json_schema(Declarations()));
  if (!reference.empty()) return print_reference(reference);
  if (!code.empty()) return print_explanation(code);
  options.syntax = syntax_named(syntax);
  (is_pass_on_ranks(dump_after) ? request.dump_after : options.dump_after) = dump_after;
  for (std::size_t kind = 0; kind < report_kind_names.size(); ++kind)
    if (std::ranges::count(reports, report_kind_names[kind]) > 0)
      request.kinds.push_back(static_cast<ReportKind>(kind));
  request.json = report_format == "json";
  wishes.format = static_cast<Format>(std::find(format_names.begin(), format_names.end(), format) -
                                      format_names.begin());
  // What was made is not taken apart again: the process ends here, and with it its memory.
  auto const exit_code = compile_or_check(paths, wishes);
  std::fflush(nullptr);
  std::quick_exit(exit_code);
}
