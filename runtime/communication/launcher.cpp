// Environment variables of mpirun, srun and Slurm's allocations.
#include "runtime/communication/launcher.hpp"

#include <array>
#include <charconv>
#include <cstring>

namespace lbann::runtime {

namespace {

std::int64_t number_in(char const* text, std::int64_t fallback) {
  std::int64_t value = fallback;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
  return value;
}

}  // namespace

Launch find_launch(Variable variable) {
  Launch launch;
  struct Names {
    char const* size;
    char const* rank;
  };
  constexpr std::array<Names, 3> launchers = {{{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                               {"PMI_SIZE", "PMI_RANK"},
                                               {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"}}};
  for (auto const& names : launchers)
    if (auto const processes = number_in(variable(names.size), 0); processes > 0) {
      launch.processes = processes;
      launch.rank = number_in(variable(names.rank), 0);
      launch.connected = true;
      return launch;
    }
  // An srun step sets its own number of tasks; an allocation only the requested number.
  auto const tasks =
      number_in(variable("SLURM_STEP_NUM_TASKS"), number_in(variable("SLURM_NTASKS"), 0));
  if (tasks <= 0) return launch;
  launch.processes = tasks;
  launch.rank = number_in(variable("SLURM_PROCID"), 0);
  launch.slurm = true;
  launch.connected = variable("PMIX_RANK") != nullptr;
  return launch;
}

std::string refusal_of(Launch const& launch, std::int64_t world, bool with_mpi) {
  if (launch.processes <= 1 || world == launch.processes) return {};
  auto const count = std::to_string(launch.processes);
  if (!with_mpi)
    return "started as one of " + count +
           " processes, but this lbann-run was built without MPI; configure the build with "
           "-Dmpi=enabled";
  if (launch.slurm)
    return "Slurm was asked for " + count + " tasks, but MPI sees a world of " +
           std::to_string(world) + "; start with srun --mpi=pmix -n " + count +
           ", or with srun -n 1 for a single process";
  return "started as one of " + count + " processes, but MPI sees a world of " +
         std::to_string(world) +
         "; start with the mpirun of the MPI that lbann-run was built with, or with srun "
         "--mpi=pmix";
}

}  // namespace lbann::runtime
