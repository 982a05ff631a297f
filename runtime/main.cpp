// The command `lbann-run`: reads its arguments, runs, and turns whatever happens into an exit code.
#include <omp.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "runtime/communication/communicator.hpp"
#include "runtime/execution/threads.hpp"
#include "runtime/loading/instruction_set.hpp"
#include "runtime/run.hpp"

namespace {

using namespace lbann;
using namespace lbann::runtime;

int fail(std::string const& message, int code) {
  std::fprintf(stderr, "lbann-run: error: %s\n", message.c_str());
  return code;
}

int parse_and_run(int argc, char** argv) {
  RunOptions options;
  options.process_start = process_start();
  options.threads = default_threads();

  CLI::App app{"Trains what lbann-compile has compiled: plan in, trained weights out.",
               "lbann-run"};
  std::string base, kernel_choice = "best";
  std::string plan, data_root, save_model;
  std::vector<std::string> load_models;
  app.add_option("plan", plan, "Plan written by lbann-compile")->required();
  app.add_option(
      "--work-dir", base,
      "Folder in which the run makes its own, <model>_<time> ($LBANN_EXPERIMENT_DIR, or .)");
  app.add_option("--threads", options.threads,
                 "Threads to compute with ($OMP_NUM_THREADS, or the cores this process may use)")
      ->check(CLI::Range(1, 4096));
  app.add_option("--io-threads", options.io_threads, "Threads that prepare data")
      ->check(CLI::Range(1, 1024));
  app.add_option("--data-root", data_root,
                 "Folder that relative data paths are looked up in first");
  app.add_option("--kernels", kernel_choice,
                 "Kernels to use: best, or reference (slow, plain loops)")
      ->check(CLI::IsMember({"best", "reference"}));
  app.add_option("--steps", options.step_limit, "At most so many steps of each pass (a smoke run)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 62));
  app.add_option("--load-model", load_models, "Folder of weights to start from; repeatable");
  app.add_option("--save-model", save_model, "Folder to write the trained weights to");
  app.add_flag("--quiet", options.quiet, "Print nothing; the log file still has every line");
  app.add_flag("--describe", options.describe, "Print the model and stop");
  app.add_flag("--profile", options.profile, "Time every instruction, print a table at the end");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    return app.exit(error) == 0 ? exit_good : exit_command_line;
  }
  options.plan = plan;
  options.data_root = data_root;
  options.save_model = save_model;
  options.load_models.assign(load_models.begin(), load_models.end());
  if (kernel_choice == "reference") options.selection = kernels::Selection::reference;
  if (!base.empty())
    options.base = base;
  else if (char const* const folder = std::getenv("LBANN_EXPERIMENT_DIR"))
    options.base = folder;
  return run(options);
}

}  // namespace

int main(int argc, char** argv) {
  auto const sets = instruction_sets();
  if (auto const missing = missing_instruction_sets(sets); !missing.empty())
    return fail(missing, exit_failed);
  try {
    auto const variable = [](char const* name) -> char const* { return std::getenv(name); };
    if (auto const refusal = refusal_of(launched_processes(variable)); !refusal.empty())
      return fail(refusal, exit_failed);
    return parse_and_run(argc, argv);
  } catch (std::bad_alloc const&) {
    return fail("out of memory", exit_failed);
  } catch (std::exception const& error) {
    return fail(std::string("fault of lbann-run itself: ") + error.what(), exit_failed);
  }
}
