// All groups of options, and what they ask for together.
#include "runtime/command/command_line.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "runtime/command/options.hpp"
#include "runtime/execution/threads.hpp"
#include "runtime/process/exit_code.hpp"
#include "runtime/process/fail.hpp"
#include "runtime/run.hpp"
#include "runtime/version.hpp"
#include "schemas/files/standard_streams.hpp"

namespace lbann::runtime {

namespace {

/// Of help, version or a mistake.
int end_of(CLI::App const& app, CLI::ParseError const& error, bool speaks) {
  if (!speaks) return error.get_exit_code() == 0 ? exit_good : exit_command_line;
  std::ostringstream help;
  if (app.exit(error, help, std::cerr) != 0) return exit_command_line;
  auto const printed = print(help.str());
  return printed ? exit_good : fail(printed.problem().message, exit_file);
}

Task task_of(CLI::App const& app) {
  if (app.count("--batch-script") > 0) return Task::batch_script;
  if (app.count("--dry-run-ranks") > 0) return Task::dry_run;
  if (app.count("--predict") > 0) return Task::predict;
  if (app.count("--serve") > 0) return Task::serve;
  if (app.count("--describe-data") > 0) return Task::describe_data;
  if (app.count("--pack") > 0) return Task::pack_data;
  if (app.count("--report") > 0) return Task::report;
  return Task::run;
}

}  // namespace

void exclude_from_training(CLI::App& app, CLI::Option& task) {
  for (auto const* other :
       {"--save-model", "--export", "--resume", "--restart_dir", "--checkpoint-every", "--steps",
        "--procs-per-trainer", "--plan-per-trainer", "--dry-run-ranks", "--describe", "--profile",
        "--trace", "--check-finite"})
    task.excludes(app.get_option(other));
}

std::variant<CommandLine, int> parse_command_line(int argc, char** argv, bool speaks) {
  CommandLine line;
  auto& run = line.run;
  run.process_start = process_start();
  run.command.assign(argv, argv + argc);
  run.version = version_text();
  run.threads = wanted_threads();
  run.binding = take_binding();

  CLI::App app{"Trains what lbann-compile has compiled: plan in, trained weights out.",
               "lbann-run"};
  app.set_version_flag("--version", version_text,
                       "Print versions of this program and of its libraries");
  add_run_options(app, line);
  add_feeding_options(app, line);
  add_weights_options(app, line);
  add_checkpoint_options(app, line);
  add_inspection_options(app, line);
  add_prediction_options(app, line);
  add_data_options(app, line);
  add_job_options(app, line);
  add_report_options(app, line);
  try {
    app.parse(argc, argv);
    if (run.plan.empty() && app.count("--report") == 0) throw CLI::RequiredError("plan");
  } catch (CLI::ParseError const& error) {
    return end_of(app, error, speaks);
  }
  if (run.threads > most_threads)
    return speaks ? fail("OMP_NUM_THREADS asks for " + std::to_string(run.threads) +
                             " threads, at most " + std::to_string(most_threads) + " are possible",
                         exit_command_line)
                  : exit_command_line;
  run.folders.resume = app.count("--resume") + app.count("--restart_dir") > 0;
  char const* const folder = std::getenv("LBANN_EXPERIMENT_DIR");
  if (app.count("--work-dir") == 0 && folder != nullptr && *folder != '\0')
    run.folders.base = folder;
  run.data_store.used |= run.data_store.preloads;
  line.dry.procs_per_trainer = line.per_trainer;
  line.task = task_of(app);
  if (line.task == Task::batch_script) {
    if (app.count("--job-name") == 0) line.job.name = job_name_of(run.plan.stem().string());
    line.job.command = command_of_job(app, argc, argv);
  }
  return line;
}

}  // namespace lbann::runtime
