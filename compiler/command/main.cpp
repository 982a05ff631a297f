// lbann-compile: an experiment in, a plan out.
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/command/check.hpp"
#include "compiler/command/exit_codes.hpp"
#include "compiler/command/reference.hpp"
#include "compiler/command/version.hpp"
#include "compiler/reference/json_schema.hpp"
#include "schemas/files/standard_streams.hpp"
#include "schemas/vocabulary/bytes_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

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
  std::vector<std::string> paths, fields, affected_by;
  std::string reference, code, syntax, dump_after, format = "human", report_format = "text";
  bool show_stages = false, show_passes = false, show_schema = false, summary = false;
  app.set_version_flag("--version", version_text,
                       "Print versions of this program and of its libraries");
  app.add_option("experiment", paths,
                 "File in YAML, TOML or LBANN's protobuf text (the latter may be several: model, "
                 "reader, optimizer); - for standard input; with --check any number of files and "
                 "folders; or a plan, for --report")
      ->expected(0, -1);
  app.add_option("--syntax", syntax, "Syntax of the files, where their names do not tell it")
      ->check(CLI::IsMember(std::vector<std::string>(syntax_names.begin(), syntax_names.end())));
  app.add_option("-o,--output", wishes.output,
                 "The plan (plan.bin); with --check the file that messages are written to");
  app.add_option("--set", options.overrides,
                 "Replace a value, e.g. trainer.mini_batch_size=128, "
                 "data_reader.digits[test].num_samples=9; "
                 "may be repeated")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
  app.add_option("--field", fields,
                 "Shape of one sample of a data field, e.g. samples=1x28x28; may be repeated")
      ->type_name("FIELD=DIMS")
      ->expected(1)
      ->take_all();
  app.add_option(
         "--fields-from", wishes.fields_from,
         "File that says the same of experiments whose data is not here: lines of a pattern "
         "of paths and dims, e.g. imagenet/*.yaml samples=3x224x224 labels=1000")
      ->type_name("FILE");
  app.add_option("--data-root", options.data_root, "Folder that data files are looked up in first")
      ->type_name("DIR");
  app.add_flag("--probe-python", options.probe_python,
               "Run the modules of python readers to learn the dims of their samples");
  app.add_option("--python", options.python,
                 "Interpreter that runs them ($LBANN_PYTHON, or python3)");
  app.add_flag("--check", wishes.check,
               "Write no plan; of folders, check every experiment below, but those that a file "
               ".lbannignore names");
  app.add_flag("--fix", wishes.fix,
               "Write edits that messages suggest into the files, where they are sure; all other "
               "bytes stay");
  app.add_flag("--diff", wishes.diff,
               "Of two experiments or plans, what differs in meaning and what it costs; with "
               "--fix, print the edits instead");
  auto const* affecting =
      app.add_option("--affected-by", affected_by,
                     "With --check, look only at experiments that are one of these files, include "
                     "one, or read one for the shape of their data")
          ->type_name("FILE")
          ->expected(0, -1);
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
  app.add_flag("--summary", summary,
               "Write no plan but print the layers with dims of their outputs, parameters and "
               "operations: --report summary");
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
  app.add_option(
         "--format", format,
         "How messages are written: for people to standard error, for programs to standard output: "
         "json, github, sarif, gitlab (Code Quality) or junit")
      ->check(CLI::IsMember(std::vector<std::string>(format_names.begin(), format_names.end())))
      ->capture_default_str();
  app.footer(
      "Exit codes: 0 good, 1 the experiment is wrong, 2 the command line is wrong, 3 a file "
      "cannot be read or written, 5 nothing is wrong but dims of data that is not here are not "
      "known, 70 a fault of the compiler.");
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
  for (auto const& field : fields) options.fields.push_back(given_on_command_line(field));
  if (affecting->count() > 0) wishes.affected_by = affected_by;
  (is_pass_on_ranks(dump_after) ? request.dump_after : options.dump_after) = dump_after;
  for (std::size_t kind = 0; kind < report_kind_names.size(); ++kind)
    if (std::ranges::count(reports, report_kind_names[kind]) > 0 ||
        (summary && static_cast<ReportKind>(kind) == ReportKind::summary))
      request.kinds.push_back(static_cast<ReportKind>(kind));
  options.size = request.size;
  request.json = report_format == "json";
  wishes.format = static_cast<Format>(std::find(format_names.begin(), format_names.end(), format) -
                                      format_names.begin());
  // What was made is not taken apart again: the process ends here, and with it its memory.
  auto const exit_code = compile_or_check(paths, std::move(wishes));
  std::fflush(nullptr);
  std::quick_exit(exit_code);
}
