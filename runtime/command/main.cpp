// The command `lbann-run`: parses its arguments, does what they ask for, and returns an exit code.
#include <omp.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <thread>

#include "kernels/device/device.hpp"
#include "runtime/command/command_line.hpp"
#include "runtime/communication/batch_script.hpp"
#include "runtime/communication/launcher.hpp"
#include "runtime/communication/mpi.hpp"
#include "runtime/communication/watchdog.hpp"
#include "runtime/dry_run.hpp"
#include "runtime/inspection/describe_data.hpp"
#include "runtime/inspection/pack_data.hpp"
#include "runtime/loading/instruction_set.hpp"
#include "runtime/loading/plan_file.hpp"
#include "runtime/prediction/predict.hpp"
#include "runtime/prediction/serve.hpp"
#include "runtime/process/address_space.hpp"
#include "runtime/process/fail.hpp"
#include "runtime/process/position.hpp"
#include "runtime/process/program_of_device.hpp"
#include "runtime/process/signals.hpp"
#include "runtime/run.hpp"
#include "schemas/files/standard_streams.hpp"

namespace {

using namespace lbann;
using namespace lbann::runtime;

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

int print_batch_script(BatchJob const& job) {
  if (auto const refusal = refusal_of(job); !refusal.empty())
    return fail(refusal, exit_command_line);
  auto const printed = print(batch_script(job));
  return printed ? exit_good : fail(printed.problem().message, exit_file);
}

/// Calls `act` with the communicators of this job. MPI is initialised only if a launcher started
/// several processes: it takes a third of a second.
template <class Act>
int in_job(Launch const& launch, std::int64_t per_trainer, Act act) {
  bool const connects = launch.processes > 1 && launch.connected && built_with_mpi();
  auto const mpi = connects ? std::make_unique<Mpi>() : nullptr;
  auto ranks = join_job(launch, mpi.get(), per_trainer);
  if (!ranks) return fail(ranks.problem().message, exit_command_line);
  return act(ranks.value());
}

int parse_and_run(int argc, char** argv, Launch const& launch) {
  auto parsed = parse_command_line(argc, argv, launch.rank == 0);
  if (auto const* const code = std::get_if<int>(&parsed)) return *code;
  auto& line = std::get<CommandLine>(parsed);
  if (line.task == Task::batch_script) return print_batch_script(line.job);
  if (auto const found = become_program_of(line.run.device, argv); !found)
    return fail(launch.rank == 0 ? found.problem().message : "", exit_command_line);
  device::allow_tf32(line.run.tf32);
  end_at_signals(launch.rank == 0, &Watchdog::announce_exit);
  auto const alone = [&](char const* what) -> std::optional<int> {
    if (launch.processes == 1) return std::nullopt;
    return fail(launch.rank == 0
                    ? std::string(what) + " is one process; start it without a launcher"
                    : std::string(),
                exit_command_line);
  };
  switch (line.task) {
    case Task::dry_run:
      if (auto const refused = alone("a dry run")) return *refused;
      return dry_run(line.run, line.dry);
    case Task::describe_data:
      if (auto const refused = alone("--describe-data")) return *refused;
      return describe_data(line.run, line.images);
    case Task::pack_data:
      if (auto const refused = alone("--pack")) return *refused;
      return pack_data(line.run, line.pack.out, line.pack.role);
    case Task::report:
      if (auto const refused = alone("--report")) return *refused;
      return write_report(line.report);
    case Task::serve:
      if (auto const refused = alone("--serve")) return *refused;
      return serve(line.run, prepare_prediction(line.run.plan, line.prediction, {}, false));
    case Task::predict: {
      auto prepared = prepare_prediction(line.run.plan, line.prediction,
                                         prediction_context(line.run, nullptr), true);
      return in_job(launch, 0, [&](Ranks& ranks) {
        return predict(line.run, line.prediction, *ranks.world, std::move(prepared));
      });
    }
    case Task::batch_script:
    case Task::run:
      break;
  }
  if (line.run.plan_per_trainer) {
    auto own = plan_of_trainer(line.run.plan, launch.rank / line.per_trainer);
    if (!own) return fail(launch.rank == 0 ? own.problem().message : "", exit_command_line);
    line.run.plan = std::move(own).value();
  }
  auto prepared = prepare_run(line.run);
  return in_job(launch, line.per_trainer,
                [&](Ranks& ranks) { return run(line.run, ranks, std::move(prepared)); });
}

#ifndef __SANITIZE_ADDRESS__  // its shadow memory exceeds any limit, and it is not initialised yet
[[gnu::section(".preinit_array"), gnu::used]] auto* const before_libraries = &check_address_space;
#endif

/// Ends a rank that leaves the message to rank 0, which may not have written it yet: launchers end
/// all processes with the first one that fails, so that this one seldom waits to the end.
int after_message_of_root(Launch const& launch, int code) {
  using namespace std::chrono_literals;
  if (code == exit_command_line && launch.processes > 1 && launch.rank != 0)
    std::this_thread::sleep_for(1s);
  return code;
}

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
    return after_message_of_root(launch, parse_and_run(argc, argv, launch));
  } catch (std::bad_alloc const&) {
    return report_exception("out of memory");
  } catch (std::exception const& error) {
    return report_exception(std::string("fault of lbann-run itself: ") + error.what());
  }
}
