// The command `lbann-run`: parses its arguments, runs, and returns an exit code.
#include <omp.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <sstream>

#include "runtime/checkpoints/export_weights.hpp"
#include "runtime/communication/batch_script.hpp"
#include "runtime/communication/launcher.hpp"
#include "runtime/communication/mpi.hpp"
#include "runtime/communication/watchdog.hpp"
#include "runtime/dry_run.hpp"
#include "runtime/execution/threads.hpp"
#include "runtime/loading/instruction_set.hpp"
#include "runtime/process/address_space.hpp"
#include "runtime/process/position.hpp"
#include "runtime/process/signals.hpp"
#include "runtime/run.hpp"
#include "runtime/version.hpp"
#include "schemas/callbacks/checkpoint_interval.hpp"
#include "schemas/files/standard_streams.hpp"

namespace {

using namespace lbann;
using namespace lbann::runtime;

int fail(std::string const& message, int code) {
  if (!message.empty()) std::fprintf(stderr, "lbann-run: error: %s\n", message.c_str());
  return code;
}

/// The communicators of this process; `mpi` is null in a single process.
Result<Ranks> join_job(Launch const& launch, Mpi* mpi, std::int64_t per_trainer) {
  auto world = mpi == nullptr ? single_process() : mpi->world();
  auto const refusal = refusal_of(launch, world->size(), built_with_mpi());
  if (!refusal.empty()) return Problem{launch.rank == 0 ? refusal : ""};
  if (mpi != nullptr) return split_into_trainers(std::move(world), per_trainer);
  if (per_trainer > 1)
    return Problem{"--procs-per-trainer " + std::to_string(per_trainer) +
                   " of a single process; start with mpirun -n " + std::to_string(per_trainer) +
                   " or srun --mpi=pmix -n " + std::to_string(per_trainer)};
  return single_rank();
}

/// Refuses an empty path: usually an unset variable of the shell.
CLI::Validator const not_empty(
    [](std::string& text) {
      return text.empty() ? std::string("is empty; name a path") : std::string();
    },
    "", "not_empty");

CLI::Validator const a_name(
    [](std::string& text) {
      return text.empty() ? std::string("is empty; write a name, or leave it out") : std::string();
    },
    "", "a_name");

constexpr char const* job_group = "Job scripts";

/// The options of a job; each is in the group `job_group`.
void add_job_options(CLI::App& app, BatchJob& job) {
  auto const many = CLI::Range(std::int64_t{1}, std::int64_t{1} << 30);
  auto const add = [&](char const* name, auto& value, char const* words) {
    return app.add_option(name, value, words)->group(job_group);
  };
  add("--batch-script", job.system,
      "Print a script that runs this command as a job, and stop: slurm, lsf or flux")
      ->check(CLI::IsMember({"slurm", "lsf", "flux"}));
  auto const add_count = [&](char const* name, std::int64_t& value, char const* words) {
    add(name, value, words)->check(many)->needs("--batch-script");
  };
  auto const add_text = [&](char const* name, std::string& value, char const* words) {
    add(name, value, words)->check(a_name)->needs("--batch-script");
  };
  add_count("--nodes", job.nodes, "Nodes of the job");
  add_count("--procs-per-node", job.ranks_per_node, "Ranks on each node of the job");
  add_count("--time-limit", job.minutes, "Minutes that the job may take");
  add_text("--job-name", job.name, "Name of the job (that of the plan)");
  add_text("--partition", job.partition, "Slurm's partition");
  add_text("--queue", job.queue, "LSF's or Flux's queue");
  add_text("--account", job.account, "Slurm's account, LSF's project or Flux's bank");
  add_text("--reservation", job.reservation, "Slurm's or LSF's reservation");
}

/// This command line without the options of the job.
std::vector<std::string> command_of_job(CLI::App const& app, int argc, char** argv) {
  std::vector<std::string> command;
  for (int i = 0; i < argc; ++i) {
    std::string const word = argv[i];
    auto const name = word.substr(0, word.find('='));
    auto const* const option = name.starts_with("--") ? app.get_option_no_throw(name) : nullptr;
    if (option == nullptr || option->get_group() != job_group)
      command.push_back(word);
    else if (word == name)
      ++i;  // its value
  }
  return command;
}

int print_batch_script(BatchJob const& job) {
  if (auto const refusal = refusal_of(job); !refusal.empty())
    return fail(refusal, exit_command_line);
  auto const printed = print(batch_script(job));
  return printed ? exit_good : fail(printed.problem().message, exit_file);
}

CLI::Validator const an_interval(
    [](std::string& text) {
      return callbacks::parse_checkpoint_interval(text)
                 ? std::string()
                 : "`" + text + "` is no interval; write `500 steps`, `1 epoch` or `10 min`";
    },
    "", "an_interval");

/// Refuses a file that no format of exported weights is known for.
CLI::Validator const exportable(
    [](std::string& text) {
      return can_export(text) ? std::string()
                              : text + ": weights are exported to .safetensors or .npz files";
    },
    "", "exportable");

int parse_and_run(int argc, char** argv, Launch const& launch) {
  RunOptions options;
  options.process_start = process_start();
  options.threads = wanted_threads();
  options.binding = take_binding();
  std::int64_t per_trainer = 0;
  double store_limit = 0, staging_limit = 0;
  DryRunConfig dry;

  CLI::App app{"Trains what lbann-compile has compiled: plan in, trained weights out.",
               "lbann-run"};
  std::string base, kernel_choice = "best";
  std::string plan, data_root, save_model, export_file, trace;
  std::string resume_from, checkpoint_every, checkpoint_folder, local_folder, layout = "run";
  BatchJob job;
  std::vector<std::string> load_models;
  app.set_version_flag("--version", version_text,
                       "Print versions of this program and of its libraries");
  app.add_option("plan", plan, "Plan written by lbann-compile")->required()->check(not_empty);
  app.add_option(
         "--work-dir", base,
         "Folder in which the run makes its own, <model>_<time> ($LBANN_EXPERIMENT_DIR, or .)")
      ->check(not_empty);
  app.add_option("--threads", options.threads,
                 "Threads to compute with ($OMP_NUM_THREADS, or this rank's share of the cores)")
      ->check(CLI::Range(std::int64_t{1}, most_threads));
  app.add_option("--io-threads", options.io_threads, "Threads that prepare data")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--use_data_store", options.data_store.used,
               "Keep samples in the memory of the ranks of a trainer once they were read");
  app.add_flag("--preload_data_store", options.data_store.preloads,
               "The same, and read all of them before the first epoch");
  app.add_option("--data-store-limit", store_limit,
                 "GB of memory on each rank for kept samples (its share of half of the node's)")
      ->check(CLI::Range(1e-6, 1e9));
  app.add_option("--staging", options.staging.folder,
                 "Folder on each node's own disk: image files are copied there in the background, "
                 "and read from there")
      ->check(not_empty);
  app.add_option("--staging-limit", staging_limit, "GB of copies on each node (no limit)")
      ->check(CLI::Range(1e-6, 1e9));
  app.add_option("--staging-streams", options.staging.streams,
                 "Files of a node copied at once (16)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--procs-per-trainer", per_trainer, "Ranks that train one model (all)")
      ->check(CLI::Range(1, 1 << 30));
  app.add_option("--data-root", data_root, "Folder that relative data paths are looked up in first")
      ->check(not_empty);
  app.add_option("--python", options.python,
                 "Interpreter of readers that run Python ($LBANN_PYTHON, or python3)");
  app.add_option("--kernels", kernel_choice,
                 "Kernels to use: best, or reference (slow, plain loops)")
      ->check(CLI::IsMember({"best", "reference"}));
  app.add_option("--steps", options.step_limit, "At most so many steps of each pass (a smoke run)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 62));
  app.add_option("--load-model", load_models,
                 "Folder, .npz or .safetensors file of weights to start from; repeatable")
      ->check(not_empty);
  app.add_flag("--load-partial", options.load_partial,
               "Leave weights that no --load-model has at their first values")
      ->needs("--load-model");
  app.add_option(
         "--rename", options.renames,
         "Rule `old -> new` for names in what --load-model reads; one * on both sides stands "
         "for the same text; repeatable")
      ->check(a_name)
      ->needs("--load-model");
  app.add_option("--export", export_file,
                 "File to write the trained weights to, for other programs: .safetensors or .npz")
      ->check(not_empty & exportable);
  app.add_option("--save-model", save_model, "Folder to write the trained weights to")
      ->check(not_empty);
  auto* const resume =
      app.add_option("--resume", resume_from,
                     "Go on from the newest sound checkpoint of this experiment "
                     "in --work-dir, if there is one; or from that of a run FOLDER")
          ->expected(0, 1)
          ->check(CLI::ExistingDirectory);
  auto* const restart =
      app.add_option("--restart_dir", resume_from, "As --resume with a folder (LBANN's name)")
          ->check(CLI::ExistingDirectory)
          ->excludes(resume);
  app.add_option("--checkpoint-every", checkpoint_every,
                 "Save all state of training so often: `500 steps`, `1 epoch`, `10 min`")
      ->check(an_interval);
  app.add_option("--ckpt_dir", checkpoint_folder,
                 "Folder with checkpoints of runs, each in one named like the run (in the folder "
                 "of the run; LBANN's name); --resume looks there, too")
      ->check(not_empty);
  app.add_option("--local-dir", local_folder,
                 "Folder on each node's own disk: each rank first writes its part of a checkpoint "
                 "there; --resume looks there, too")
      ->check(not_empty);
  app.add_option("--layout", layout,
                 "Where callbacks write: in the folder of the run (run), or in --work-dir itself, "
                 "where the next run replaces it (lbann)")
      ->check(CLI::IsMember({"run", "lbann"}));
  app.add_option(
         "--dry-run-ranks", dry.ranks,
         "Try the program of one rank of so many, on random data, and tell its memory, time "
         "and messages")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 32));
  app.add_option("--dry-run-rank", dry.rank, "Which of them (0)")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 32))
      ->needs("--dry-run-ranks");
  app.add_option("--dry-run-mini-batch", dry.mini_batch,
                 "Samples of a trainer's mini-batch (those of the plan)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->needs("--dry-run-ranks");
  app.add_option("--dry-run-procs-per-node", dry.procs_per_node,
                 "How many of them run on a node and share memory (all)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 32))
      ->needs("--dry-run-ranks");
  app.add_option("--stall-timeout", options.stall_timeout,
                 "Seconds that ranks wait for one that does not come, before the job is ended")
      ->check(CLI::PositiveNumber);
  app.add_flag("--quiet", options.quiet, "Print nothing; the log file still has every line");
  app.add_flag("--describe", options.describe, "Print the model and stop");
  auto* const profile = app.add_flag("--profile", options.profile,
                                     "Time every instruction, print a table at the end");
  app.add_flag(
         "--check-finite", options.check_finite,
         "Look at every number that is computed; the first that is not finite ends the run and "
         "names the line of its layer")
      ->excludes(profile);
  app.add_option("--trace", trace, "File for a trace of all ranks, for ui.perfetto.dev")
      ->check(not_empty)
      ->excludes("--profile")
      ->excludes("--check-finite");
  add_job_options(app, job);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    // Only rank 0 prints.
    if (launch.rank != 0) return error.get_exit_code() == 0 ? exit_good : exit_command_line;
    std::ostringstream help;
    if (app.exit(error, help, std::cerr) != 0) return exit_command_line;
    auto const printed = print(help.str());
    return printed ? exit_good : fail(printed.problem().message, exit_file);
  }
  if (options.threads > most_threads)
    return fail(launch.rank == 0
                    ? "OMP_NUM_THREADS asks for " + std::to_string(options.threads) +
                          " threads, at most " + std::to_string(most_threads) + " are possible"
                    : "",
                exit_command_line);
  options.plan = plan;
  options.data_root = data_root;
  options.data_store.used |= options.data_store.preloads;
  options.staging.most_bytes = static_cast<std::int64_t>(staging_limit * 1e9);
  options.data_store.most_bytes = static_cast<std::int64_t>(store_limit * 1e9);
  options.save_model = save_model;
  options.export_file = export_file;
  options.trace = trace;
  options.folders.resume = resume->count() + restart->count() > 0;
  options.folders.resume_from = resume_from;
  options.folders.checkpoints = checkpoint_folder;
  options.folders.local = local_folder;
  options.outputs_in_base = layout == "lbann";
  options.checkpoint_every = callbacks::parse_checkpoint_interval(checkpoint_every)
                                 .value_or(callbacks::CheckpointInterval{});
  options.load_models.assign(load_models.begin(), load_models.end());
  if (kernel_choice == "reference") options.selection = kernels::Selection::reference;
  if (!base.empty())
    options.folders.base = base;
  else if (char const* const folder = std::getenv("LBANN_EXPERIMENT_DIR");
           folder != nullptr && *folder != '\0')
    options.folders.base = folder;
  if (!job.system.empty()) {
    if (app.count("--job-name") == 0) job.name = job_name_of(options.plan.stem().string());
    job.command = command_of_job(app, argc, argv);
    return print_batch_script(job);
  }
  end_at_signals(launch.rank == 0, &Watchdog::announce_exit);
  if (app.count("--dry-run-ranks") > 0) {
    if (launch.processes > 1)
      return fail(launch.rank == 0 ? "a dry run is one process; start it without a launcher" : "",
                  exit_command_line);
    dry.procs_per_trainer = per_trainer;
    return dry_run(options, dry);
  }
  auto prepared = prepare_run(options);
  // MPI is initialised only if a launcher started several processes: it takes a third of a second.
  bool const connects = launch.processes > 1 && launch.connected && built_with_mpi();
  auto const mpi = connects ? std::make_unique<Mpi>() : nullptr;
  auto ranks = join_job(launch, mpi.get(), per_trainer);
  if (!ranks) return fail(ranks.problem().message, exit_command_line);
  return run(options, ranks.value(), std::move(prepared));
}

#ifndef __SANITIZE_ADDRESS__  // its shadow memory exceeds any limit, and it is not initialised yet
[[gnu::section(".preinit_array"), gnu::used]] auto* const before_libraries = &check_address_space;
#endif

}  // namespace

int main(int argc, char** argv) {
  prepare_standard_streams();
  auto const launch =
      find_launch([](char const* name) -> char const* { return std::getenv(name); });
  auto const sets = instruction_sets();
  if (auto const missing = missing_instruction_sets(sets); !missing.empty())
    return fail(launch.rank == 0 ? missing : "", exit_failed);
  // Other ranks cannot be notified of an exception by MPI: the first to report it ends the job.
  auto const report_exception = [&](std::string const& what) -> int {
    auto const* const description = position().load();
    auto const rank = launch.processes > 1 ? "rank " + std::to_string(launch.rank) + ": " : "";
    Watchdog::announce_exit();
    fail(rank + what + (description == nullptr ? "" : std::string(", in ") + description),
         exit_failed);
    end_job(exit_failed);
  };
  try {
    return parse_and_run(argc, argv, launch);
  } catch (std::bad_alloc const&) {
    return report_exception("out of memory");
  } catch (std::exception const& error) {
    return report_exception(std::string("fault of lbann-run itself: ") + error.what());
  }
}
