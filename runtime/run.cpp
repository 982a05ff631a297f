// The main sequence of a run: load, prepare, train, report.
#include "runtime/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <optional>

#include "kernels/device/device.hpp"
#include "runtime/callbacks/checkpoint_policy.hpp"
#include "runtime/callbacks/epoch_table.hpp"
#include "runtime/callbacks/export_model.hpp"
#include "runtime/callbacks/loss_scale_log.hpp"
#include "runtime/callbacks/make_callback.hpp"
#include "runtime/callbacks/metrics_file.hpp"
#include "runtime/callbacks/model_description.hpp"
#include "runtime/callbacks/schedule_log.hpp"
#include "runtime/callbacks/value_files.hpp"
#include "runtime/checkpoints/checkpoint_folder.hpp"
#include "runtime/checkpoints/initial_values.hpp"
#include "runtime/communication/agreement.hpp"
#include "runtime/communication/mpi.hpp"
#include "runtime/communication/watchdog.hpp"
#include "runtime/execution/cores.hpp"
#include "runtime/execution/start_device.hpp"
#include "runtime/execution/threads.hpp"
#include "runtime/loading/plan_file.hpp"
#include "runtime/observation/data_waits.hpp"
#include "runtime/observation/finite_check.hpp"
#include "runtime/observation/profile.hpp"
#include "runtime/observation/provenance.hpp"
#include "runtime/observation/trace.hpp"
#include "runtime/process/crash_handler.hpp"
#include "runtime/process/fail.hpp"
#include "runtime/process/signals.hpp"
#include "runtime/training/checkpointing.hpp"
#include "runtime/training/feeds.hpp"
#include "runtime/training/run_folders.hpp"
#include "runtime/training/sgd.hpp"
#include "runtime/training/take_statistics.hpp"
#include "schemas/files/standard_streams.hpp"
#include "schemas/plan/digest.hpp"

namespace lbann::runtime {

namespace {

/// Whether all ranks run this program, and those that must this plan.
Result<Success> check_equality(Ranks& ranks, PlanFile const& file, bool plan_per_trainer) {
  auto& world = *ranks.world;
  if (world.size() == 1) return Success{};
  auto same = same_everywhere(world, program_digest(), "runs another lbann-run",
                              "install the same build on every node");
  if (!same) return same;
  same = same_everywhere(plan_per_trainer ? *ranks.trainer : world, digest(file.bytes),
                         "reads another plan", "let all ranks see the same file");
  if (!plan_per_trainer) return same;
  // Those of all trainers wait for one another.
  auto const comparisons = count_comparing_trainers(file.plan);
  if (auto agreed = agree_on_status(world, std::move(same)); !agreed) return agreed;
  return same_everywhere(world, static_cast<std::uint64_t>(comparisons),
                         "has a plan with another number of callbacks that compare trainers",
                         "every plan must have the same ones");
}

/// Whether this program can do what the plan asks for.
Result<Success> check_support(Plan const& plan, std::filesystem::path const& path) {
  if (plan.unimplemented.empty()) return Success{};
  return Problem{fmt::format(
      "{}: the plan was compiled with --allow-unbuilt and asks for what is not supported yet: {}",
      path.string(), fmt::join(plan.unimplemented, ", "))};
}

/// Where and how often checkpoints are written.
Checkpointing::Options checkpoint_options(RunOptions const& options, CallbackContext const& run,
                                          RunFolders const& folders) {
  auto policy = checkpoint_policy(run.plan);
  auto const& every = options.checkpoint_every;
  if (every.steps > 0 || every.epochs > 0 || every.seconds > 0) policy.interval = every;
  auto const trainer = folders.trainer == folders.run ? "" : folders.trainer.filename().string();
  Checkpointing::Options made{
      policy.interval,
      policy.keep,
      policy.on_failure,
      {folder_of_checkpoints(folders.run, trainer, options.folders, run.plan),
       run.work_directory / plan_file_name, folder_of_parts(folders.run, trainer, options.folders)},
      {}};
  if (folders.resumed) made.candidates = folders.resumed->checkpoints;
  return made;
}

/// Adds callbacks of the plan, logs of its schedules and loss scale, those of the command line,
/// metrics.jsonl.
Result<Success> add_callbacks(Callbacks& callbacks, CallbackContext const& run,
                              RunOptions const& options) {
  for (auto const& declared : run.plan.callbacks)
    if (auto added = add_declared(declared, run, callbacks); !added) return added;
  if (auto log = schedule_log(run)) add_if_needed(std::move(log), "schedules", run, callbacks);
  if (auto log = loss_scale_log(run)) add_if_needed(std::move(log), "loss scale", run, callbacks);
  if (!options.load_models.empty())
    add_load(options.load_models, options.renames, options.load_partial, run, callbacks);
  if (!options.save_model.empty()) add_save(options.save_model, run, callbacks);
  if (!options.export_file.empty())
    add_if_needed(export_model(options.export_file, run), "--export", run, callbacks);
  if (!run.is_root()) return Success{};
  if (run.log.style() == LogStyle::table) callbacks.add(epoch_table(run), "table of epochs");
  auto metrics = metrics_file(run);
  if (!metrics) return metrics.problem();
  callbacks.add(std::move(metrics).value(), "metrics.jsonl");
  return Success{};
}

void report_memory(Log& log, Executor const& executor) {
  std::string arenas;
  for (std::size_t i = 0; i < arena_count; ++i) {
    auto const bytes = executor.arenas().bytes(static_cast<Arena>(i));
    if (bytes > 0) arenas += fmt::format(" {} {},", arena_names[i], bytes_text(bytes));
  }
  log.line(fmt::format("memory :{} arenas together {}, peak resident {}", arenas,
                       bytes_text(executor.arenas().total_bytes()),
                       bytes_text(peak_resident_bytes())));
}

}  // namespace

std::chrono::steady_clock::time_point process_start() {
  auto const now = std::chrono::steady_clock::now();
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  auto const after_name = text.rfind(')');
  if (after_name == std::string::npos) return now;
  // Field 22 of proc(5): ticks after boot; the state, after the name, is field 3.
  std::string field = text.substr(after_name + 1);
  std::size_t at = 0;
  for (int i = 3; i <= 22 && at != std::string::npos; ++i)
    at = field.find(' ', at + (i > 3 ? 1 : 0));
  if (at == std::string::npos) return now;
  timespec boot{};
  ::clock_gettime(CLOCK_BOOTTIME, &boot);
  auto const age =
      static_cast<double>(boot.tv_sec) + 1e-9 * static_cast<double>(boot.tv_nsec) -
      std::strtod(field.c_str() + at, nullptr) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  if (!(age >= 0 && age < 60)) return now;
  return now - std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                   std::chrono::duration<double>(age));
}

PreparedRun prepare_run(RunOptions const& options) {
  PreparedRun prepared{read_plan(options.plan), {}};
  auto const& file = prepared.file;
  if (file && !options.describe && file.value().plan.unimplemented.empty())
    prepared.python.emplace(file.value().plan,
                            OpenContext{{options.data_root.string()}, options.python});
  return prepared;
}

/// Sizes of the axes of a mesh, in their order.
std::vector<std::int64_t> sizes_of(std::vector<MeshAxis> const& mesh) {
  std::vector<std::int64_t> sizes;
  for (auto const& axis : mesh) sizes.push_back(axis.size);
  return sizes;
}

int run(RunOptions const& options, Ranks& ranks, PreparedRun prepared) {
  auto& world = *ranks.world;
  auto& trainer = *ranks.trainer;
  auto& file = prepared.file;
  if (auto agreed = agree_on_status(world, file); !agreed) return fail(agreed.problem(), exit_file);
  if (auto same = check_equality(ranks, file.value(), options.plan_per_trainer); !same)
    return fail(same.problem(), exit_file);
  Plan const plan = std::move(file.value().plan);
  auto const supported = options.describe ? Success{} : check_support(plan, options.plan);
  if (auto agreed = agree_on_status(world, supported); !agreed)
    return fail(agreed.problem(), exit_file);
  bool const shows = !options.quiet && ranks.is_root();
  if (options.describe) {
    auto const printed =
        print(shows ? fmt::format("{}\n", fmt::join(describe_model(plan), "\n")) : "");
    return printed ? exit_good : fail(printed.problem(), exit_file);
  }

  // Open MPI gives each rank a terminal of its own, wherever mpirun's output goes.
  bool const on_terminal = world.size() == 1 && ::isatty(STDOUT_FILENO) == 1;
  Log log(shows ? stdout : nullptr,
          options.log_style.value_or(on_terminal ? LogStyle::table : LogStyle::lbann));
  install_crash_handler(world.rank(), world.size(), &Watchdog::announce_exit);
  Watchdog const watchdog(world, options.stall_timeout,
                          [] { return SignalWatch::received() != 0; });
  auto const chosen = choose_threads(world, options.binding, options.threads, options.io_threads);
  auto const threads = start_threads(chosen);
  if (auto agreed = agree_on_status(world, threads); !agreed)
    return fail(agreed.problem(), exit_failed);
  auto const seed = plan.random_seed + ranks.number;
  auto* const python = prepared.python ? &*prepared.python : nullptr;
  auto const mesh = choose_mesh(plan, options.mesh, trainer.size(), plan.micro_batch_size());
  if (auto agreed = agree_on_status(world, mesh); !agreed)
    return fail(agreed.problem(), exit_command_line);
  auto feeds =
      open_feeds(plan, {options.data_root, chosen.io, seed, trainer.rank(), trainer.size(), python,
                        options.data_store, &trainer, chosen.rank_on_node, chosen.ranks_on_node,
                        options.staging, ranks.number, sizes_of(mesh.value())});
  if (auto agreed = agree_on_status(world, feeds); !agreed)
    return fail(agreed.problem(), exit_file);
  auto executor =
      Executor::create(plan, feeds.value().sizes.largest_micro_batch(), options.selection, &trainer,
                       mesh.value(), !options.no_shared_memory);
  if (auto agreed = agree_on_status(world, executor); !agreed)
    return fail(agreed.problem(), exit_failed);
  auto same = same_everywhere(trainer, message_digest(executor.value()->program()),
                              "would send other messages", "this is a fault of lbann-run itself");
  if (!same) return fail(same.problem(), exit_failed);

  auto folders = open_run_folders(ranks, options.folders, plan);
  if (!folders) return fail(folders.problem(), exit_file);
  auto const& resumed = folders.value().resumed;
  CallbackContext const view{plan,
                             *executor.value(),
                             log,
                             feeds.value().sizes,
                             folders.value().trainer,
                             options.outputs_in_base ? folders.value().runs : folders.value().run,
                             folders.value().runs,
                             ranks.number,
                             ranks.trainers,
                             &trainer,
                             options.data_root,
                             ranks.between.get(),
                             resumed.has_value()};
  Result<Success> written = Success{};
  if (ranks.is_root()) written = log.open(view.work_directory / "log", view.resumed);
  if (written && ranks.is_root())
    written = write_file(view.work_directory / "plan.bin",
                         {file.value().bytes.begin(), file.value().bytes.end()});
  auto hosts = hosts_of(trainer);
  if (written && ranks.is_root())
    written = write_provenance(
        view.work_directory / "provenance.jsonl",
        {options.version, options.command, std::move(hosts), trainer.size(), chosen.compute,
         chosen.io, ranks.number, ranks.trainers, device::description(), view.resumed});
  if (auto agreed = agree_on_status(world, written); !agreed)
    return fail(agreed.problem(), exit_file);
  file.value().bytes = {};
  if (resumed)
    for (auto const& note : resumed->notes) log.line(note);
  else if (options.folders.resume)
    log.line("nothing to resume in " + options.folders.base.string() + ": training begins");
  log.line(chosen.line());
  if (auto const line = device_line(); !line.empty()) log.line(line);
  if (trainer.size() > 1) log.line(executor.value()->transport());

  Callbacks callbacks;
  Result<Success> ready = add_callbacks(callbacks, view, options);
  bool const check_finite = options.check_finite || callbacks.wants_finite_check();
  Result<Success> compatible = Success{};
  if (check_finite && (options.profile || !options.trace.empty()))
    compatible =
        Problem{"callback check_nan looks at every number: no --profile and no --trace beside it"};
  if (callbacks.observe_instructions() &&
      (check_finite || options.profile || !options.trace.empty()))
    compatible = Problem{
        "callbacks debug and timeline look at every instruction: no --profile, --trace, "
        "--check-finite and no callback check_nan beside them"};
  if (auto agreed = agree_on_status(world, std::move(compatible)); !agreed)
    return fail(agreed.problem(), exit_command_line);
  Profile profile;
  FiniteCheck finite(plan);
  std::optional<Trace> trace;
  if (!options.trace.empty()) trace.emplace(world);
  Checkpointing checkpoints(view, *executor.value(), callbacks,
                            checkpoint_options(options, view, folders.value()));
  DataWaits waits(chosen.io, chosen.cores, feeds.value().staged);
  Sgd sgd(view, *executor.value(), callbacks, feeds.value().phases,
          {options.step_limit, options.process_start, options.profile ? &profile : nullptr,
           check_finite ? &finite : nullptr, &trainer, &checkpoints, trace ? &*trace : nullptr,
           &waits, seed});
  if (ready) ready = sgd.prepare();
  if (auto agreed = agree_on_status(world, ready); !agreed)
    return fail(agreed.problem(), exit_failed);
  if (auto const& stored = feeds.value().stored) {
    for (auto const& line : stored->notes()) log.line(line);
    auto const loaded = stored->preload(chosen.io, trainer);
    if (auto agreed = agree_on_status(world, loaded); !agreed)
      return fail(agreed.problem(), exit_file);
  }
  if (auto const line = executor.value()->staged(); !line.empty()) log.line(line);
  sgd.initialize();
  auto const loaded = load_initial_values(plan, *executor.value(), options.data_root.string());
  if (auto agreed = agree_on_status(world, loaded); !agreed)
    return fail(agreed.problem(), exit_file);
  if (!resumed) {
    auto const taken = take_statistics(
        plan, *executor.value(), ranks,
        feeds.value().phases[static_cast<std::size_t>(ExecutionMode::training)], log);
    if (!taken) return fail(taken.problem(), exit_file);
  }
  log.line(fmt::format("work directory : {}", view.work_directory.string()));
  if (!callbacks.keep_weights() && !checkpoints.periodic())
    log.line(
        "warning: nothing keeps what is learned but a checkpoint at a signal: --save-model, "
        "--export and --checkpoint-every do");
  if (world.rank() == 0)
    if (auto const led = point_latest(folders.value().run); !led) log.note(led.problem().message);

  auto const ending = sgd.train();
  if (!ending) {
    log.note("error: " + ending.problem().message);
    log.flush();
    auto const failure_code = sgd.diverged()             ? exit_failed
                              : callbacks.failed_check() ? exit_check
                                                         : exit_file;
    auto const code = fail(ending.problem(), failure_code);
    // Only this trainer has agreed on the problem: end the others too.
    if (ranks.trainers > 1 && !ending.problem().message.empty()) {
      Watchdog::announce_exit();
      end_job(code);
    }
    return code;
  }
  if (trace) {
    if (auto agreed = agree_on_status(world, trace->write(options.trace)); !agreed)
      return fail(agreed.problem(), exit_file);
  }
  for (auto const& line : profile.table(executor.value()->program())) log.line(line);
  if (ending.value().steps > 0) {
    log.line(fmt::format("first step finished {:.3f} s after the start of the process, {} threads",
                         ending.value().seconds_to_first_step, chosen.compute));
  }
  if (auto const& stored = feeds.value().stored)
    if (auto const line = stored->summary(trainer); ranks.is_root()) log.line(line);
  if (auto const& staged = feeds.value().staged)
    if (auto const line = summary(*staged, trainer); ranks.is_root()) log.line(line);
  if (auto const line = waits.summary(trainer); ranks.is_root()) log.line(line);
  report_memory(log, *executor.value());
  if (ending.value().signal == 0) return exit_good;
  auto const signal = ending.value().signal;
  // A job that is requeued without gaining a step would be so for ever.
  if (signal == SIGUSR1 && ending.value().steps_gained == 0)
    return fail(
        Problem{ranks.is_root() ? "the job was warned of its end before it gained a step; it needs "
                                  "a longer time limit"
                                : ""},
        exit_failed);
  log.line(fmt::format("ended early by signal {} after {} steps", name_of_signal(signal),
                       ending.value().steps));
  return exit_code_of_signal(signal);
}

}  // namespace lbann::runtime
