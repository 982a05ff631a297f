// One experiment after the other.
#include "compiler/command/check.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "compiler/command/diff.hpp"
#include "compiler/command/exit_codes.hpp"
#include "compiler/command/fix.hpp"
#include "compiler/command/given_fields.hpp"
#include "compiler/command/messages.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/source/experiment_files.hpp"
#include "compiler/source/files.hpp"
#include "compiler/source/text_checks.hpp"
#include "schemas/plan/header.hpp"
#include "schemas/specialization/pipeline.hpp"

namespace lbann::compiler {

namespace {

namespace fs = std::filesystem;

/// Whether all errors are about what stands on the command line.
bool blames_command_line(Compiled const& compiled) {
  return std::ranges::all_of(compiled.report.diagnostics(), [&](Diagnostic const& diagnostic) {
    auto const file = diagnostic.span.file;
    return diagnostic.info->severity != Severity::error ||
           (file < compiled.sources.size() && compiled.sources[file].name == command_line_name);
  });
}

std::size_t count_of(Report const& report, Severity severity) {
  auto const told = report.sorted();
  return static_cast<std::size_t>(std::ranges::count(
      told, severity, [](Diagnostic const* each) { return each->info->severity; }));
}

/// What the messages about an experiment come to.
int code_of(Compiled const& compiled) {
  if (compiled.internal_error) return internal_error;
  if (count_of(compiled.report, Severity::error) > 0)
    return blames_command_line(compiled) ? wrong_command_line : wrong_experiment;
  if (compiled.report.has_errors()) return unknown_outcome;
  if (compiled.impossible_size) return wrong_command_line;
  return compiled.problem ? file_problem : good;
}

fs::path identity(std::string const& path) {
  std::error_code failure;
  auto const found = fs::weakly_canonical(path, failure);
  return failure ? fs::path(path).lexically_normal() : found;
}

/// One command's way through its experiments.
class Session {
 public:
  explicit Session(Wishes const& wishes)
      : wishes_(wishes), messages_(wishes.format, wishes.check ? wishes.output : std::string()) {
    if (!wishes.affected_by) return;
    for (auto const& file : *wishes.affected_by) affecting_.push_back(identity(file));
  }

  /// Reads the file of dims; gives the exit code.
  int prepare() {
    if (wishes_.fields_from.empty()) return good;
    auto given = GivenFields::read(wishes_.fields_from);
    if (!given) return fail(file_problem, given.problem().message);
    given_ = std::move(given).value();
    return good;
  }

  int compile_one(std::vector<std::string> const& paths);
  int check_all(std::vector<std::string> const& paths);
  /// What two experiments, or plans, do not share.
  int compare(std::vector<std::string> const& paths);
  /// Writes messages that were kept; gives the code of all.
  int finish(int code) { return worse(code, messages_.finish()); }

 private:
  /// Reads what is to be compiled: one text, or several messages of protobuf text.
  Result<CompileOptions> read_texts(std::vector<std::string> const& paths) const;
  /// The whole of a plan that begins with the text of `options`.
  static Result<std::string> read_plan(std::string const& path, CompileOptions& options);
  int told(std::string const& name, Compiled const& compiled);
  int fix(CompileOptions& options) const;
  int give_plan(Plan const& plan, CompileOptions const& options);
  bool is_affected(Compiled const& compiled, std::vector<std::string> const& paths) const;

  Wishes const& wishes_;
  Declarations const declarations_;
  Messages messages_;
  GivenFields given_;
  std::vector<fs::path> affecting_;
  std::size_t unaffected_ = 0;
};

Result<CompileOptions> Session::read_texts(std::vector<std::string> const& paths) const {
  auto const name = [](std::string const& path) { return path == "-" ? "standard input" : path; };
  auto options = wishes_.options;
  for (auto const& path : paths) {
    auto text = read_input(path, largest_messages);
    if (!text) return text.problem();
    if (&path != &paths.front()) {
      options.further.push_back({name(path), std::move(text).value()});
      continue;
    }
    options.name = name(path);
    options.text = std::move(text).value();
    options.folder = open_descriptor(path) ? "" : fs::path(path).parent_path().string();
    for (auto& dims : given_.of(path)) options.fields.push_back(std::move(dims));
  }
  return options;
}

/// Writes the messages about an experiment; gives the exit code that they come to.
int Session::told(std::string const& name, Compiled const& compiled) {
  messages_.add(name, compiled);
  auto const code = code_of(compiled);
  if (compiled.internal_error)
    return messages_.add_failure(name, code, compiled.internal_error->message);
  if (compiled.impossible_size)
    return messages_.add_failure(name, code, compiled.impossible_size->message);
  if (code == file_problem) return messages_.add_failure(name, code, compiled.problem->message);
  auto const warnings = count_of(compiled.report, Severity::warning);
  if (!wishes_.warnings_as_errors || warnings == 0) return code;
  if (wishes_.format == Format::human)
    messages_.add_failure(name, code,
                          std::to_string(warnings) + (warnings == 1 ? " warning" : " warnings") +
                              ", and --warnings-as-errors lets none pass");
  return worse(code, wrong_experiment);
}

bool Session::is_affected(Compiled const& compiled, std::vector<std::string> const& paths) const {
  if (!wishes_.affected_by) return true;
  auto const affects = [&](std::string const& file) {
    return std::ranges::find(affecting_, identity(file)) != affecting_.end();
  };
  return std::ranges::any_of(paths, affects) || std::ranges::any_of(compiled.files, affects) ||
         (!wishes_.fields_from.empty() && affects(wishes_.fields_from));
}

int Session::give_plan(Plan const& plan, CompileOptions const& options) {
  auto const variant = [&](std::string const& override) {
    auto changed = options;
    changed.overrides.push_back(override);
    return compile(changed, declarations_).plan;
  };
  auto const& request = wishes_.request;
  if (auto const code = print_reports(plan, request, variant); code != good) return code;
  if (request.is_report() || wishes_.check) return good;
  auto const bytes = encode(plan);
  auto const written = write_file(wishes_.output.empty() ? "plan.bin" : wishes_.output,
                                  {reinterpret_cast<char const*>(bytes.data()), bytes.size()});
  return written ? good : fail(file_problem, written.problem().message);
}

/// Writes edits into the files of an experiment and `options`, or prints them.
int Session::fix(CompileOptions& options) const {
  if (options.syntax.value_or(syntax_of(options.name)) == Syntax::protobin) return good;
  for (auto const& [path, text] : fixed_texts(options, declarations_)) {
    if (wishes_.diff) {
      auto const old = path == options.name ? Result<std::string>(options.text) : read_file(path);
      if (!old) return fail(file_problem, old.problem().message);
      if (auto const code = give(unified_diff(path, old.value(), text)); code != good) return code;
      continue;
    }
    std::error_code none;
    auto const target = fs::canonical(path, none).string();  // what a link leads to
    auto const written = write_file(target.empty() ? path : target, text);
    if (!written) return fail(file_problem, written.problem().message);
    if (wishes_.format == Format::human) std::fprintf(stderr, "fixed %s\n", path.c_str());
    if (path == options.name) options.text = text;
  }
  return good;
}

Result<std::string> Session::read_plan(std::string const& path, CompileOptions& options) {
  auto whole = std::move(options.text);
  if (whole.size() <= largest_messages) return whole;
  auto rest = read_input(path);
  if (!rest) return rest.problem();
  return open_descriptor(path) ? whole + rest.value() : std::move(rest).value();
}

int Session::compile_one(std::vector<std::string> const& paths) {
  auto read = read_texts(paths);
  auto const& name = paths.front();
  if (!read) return messages_.add_failure(name, file_problem, read.problem().message);
  auto& options = read.value();
  if (is_plan(bytes_of(options.text))) {
    auto const whole = read_plan(name, options);
    if (!whole) return messages_.add_failure(name, file_problem, whole.problem().message);
    return report_plan(name, whole.value(), wishes_.request);
  }
  auto compiled = compile(options, declarations_);
  if (!is_affected(compiled, paths)) {
    ++unaffected_;
    return good;
  }
  if (wishes_.fix && !compiled.report.diagnostics().empty()) {
    if (auto const code = fix(options); code != good) return code;
    compiled = compile(options, declarations_);
  }
  if (auto const code = told(options.name, compiled); code != good) return code;
  if (auto const code = give(compiled.dump); code != good) return code;
  return compiled.plan && options.emit.empty() ? give_plan(*compiled.plan, options) : good;
}

int Session::check_all(std::vector<std::string> const& paths) {
  std::size_t examined = 0, wrong = 0, unknown = 0;
  int worst = good;
  auto const note = [&](int code) {
    ++(code == unknown_outcome ? unknown : wrong);
    worst = worse(worst, code);
  };
  for (auto const& path : paths) {
    auto const files = experiment_files(path);
    if (!files) {
      note(messages_.add_failure(path, file_problem, files.problem().message));
      continue;
    }
    if (files.value().empty())
      note(messages_.add_failure(path, wrong_command_line, "no experiment lies below " + path));
    for (auto const& file : files.value()) {
      ++examined;
      if (auto const code = compile_one({file}); code != good) note(code);
    }
  }
  if (wishes_.format == Format::human) {
    examined -= unaffected_;
    auto const code = give(
        std::to_string(examined) + " experiment" + (examined == 1 ? "" : "s") + " checked, " +
        std::to_string(wrong) + " wrong" +
        (unknown == 0 ? ""
                      : ", " + std::to_string(unknown) +
                            " not to the end, as dims of data that is not here are not known") +
        "\n");
    worst = worse(worst, code);
  }
  return finish(worst);
}

int Session::compare(std::vector<std::string> const& paths) {
  std::array<ComparedExperiment, 2> both;
  for (std::size_t i = 0; i < both.size(); ++i) {
    auto read = read_texts({paths[i]});
    if (!read) return messages_.add_failure(paths[i], file_problem, read.problem().message);
    auto options = std::move(read).value();
    if (is_plan(bytes_of(options.text))) {
      auto const whole = read_plan(paths[i], options);
      if (!whole) return messages_.add_failure(paths[i], file_problem, whole.problem().message);
      auto const plan = decode(bytes_of(whole.value()));
      if (!plan) return messages_.add_failure(paths[i], file_problem, plan.problem().message);
      take_from_plan(plan.value(), options);
    }
    options.dump_after = "experiment";
    auto& compiled = both[i].compiled;
    both[i].name = paths[i];
    compiled = compile(options, declarations_);
    auto const code = told(paths[i], compiled);
    if (code != good && (code != unknown_outcome || compiled.dump.empty())) return code;
  }
  return print_difference(both, declarations_, wishes_.request);
}

/// What cannot go together, or an empty text.
std::string conflict(Wishes const& wishes) {
  auto const& options = wishes.options;
  bool const compares = wishes.diff && !wishes.fix;
  bool const prints = !options.emit.empty() || !options.dump_after.empty() || wishes.request.asks();
  if (compares && (wishes.check || prints || !options.stop_after.empty()))
    return "--diff of two experiments goes with none of --check, --emit, --report, --dump-after "
           "and --stop-after";
  if (wishes.format != Format::human && (prints || compares) &&
      !(wishes.check && !wishes.output.empty()))
    return "--format " + std::string(format_names[static_cast<std::size_t>(wishes.format)]) +
           " writes to standard output, as --emit, --dump-after, --report and --diff do: ask for "
           "one of "
           "them, or with --check write the messages to a file by -o";
  if (wishes.affected_by && !wishes.check) return "--affected-by says what --check looks at";
  return {};
}

}  // namespace

bool is_pass_on_ranks(std::string_view name) {
  auto const passes = specialization_passes();
  return std::ranges::find(passes, name, &SpecializationPass::name) != passes.end();
}

int compile_or_check(std::vector<std::string> const& paths, Wishes wishes) {
  auto const& options = wishes.options;
  if (is_pass_on_ranks(options.stop_after))
    return fail(wrong_command_line, "`" + options.stop_after +
                                        "` runs on each rank, when a plan is loaded: "
                                        "the compiler cannot stop after it, but --dump-after "
                                        "shows it");
  for (auto const& place : {options.stop_after, options.dump_after})
    if (!place.empty() && !is_stopping_place(place))
      return fail(wrong_command_line,
                  "`" + place + "` is no stage or pass; see --list-stages and --list-passes");
  if (paths.empty()) return fail(wrong_command_line, "which experiment? see --help");
  if (auto const words = conflict(wishes); !words.empty()) return fail(wrong_command_line, words);
  Session session(wishes);
  if (auto const code = session.prepare(); code != good) return code;
  if (wishes.diff && !wishes.fix)
    return paths.size() == 2 ? session.finish(session.compare(paths))
                             : fail(wrong_command_line,
                                    "--diff compares two experiments; with --fix it shows edits");
  std::error_code ignored;
  bool const folder = fs::is_directory(paths.front(), ignored);
  if (wishes.check && (paths.size() > 1 || folder)) return session.check_all(paths);
  bool const messages = std::ranges::all_of(paths, [&](std::string const& path) {
    return is_messages(options.syntax.value_or(syntax_of(path)));
  });
  if (paths.size() > 1 && !messages)
    return fail(wrong_command_line,
                "one experiment makes one plan; several can be checked with --check, and only "
                "LBANN's messages can be spread over several files");
  auto const is_file = [&](std::string const& path) {
    return !open_descriptor(path) && options.syntax.value_or(syntax_of(path)) != Syntax::protobin;
  };
  if (wishes.fix && (paths.size() > 1 || !is_file(paths.front())))
    return fail(wrong_command_line, "--fix writes into a text of its own: give it one file");
  return session.finish(session.compile_one(paths));
}

}  // namespace lbann::compiler
