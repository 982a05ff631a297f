// What launchers leave in the environment.
#include <array>
#include <charconv>
#include <cstring>

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

namespace {

std::int64_t number(char const* text) {
  std::int64_t value = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
  return value;
}

}  // namespace

std::int64_t launched_processes(char const* (*variable)(char const*)) {
  // srun sets SLURM_PROCID; a batch script's own shell has SLURM_NTASKS as well, and
  // SLURM_PROCID=0, but no step: what it starts directly is one process.
  std::array<char const*, 3> const always = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                             "MV2_COMM_WORLD_SIZE"};
  for (auto const* name : always)
    if (auto const processes = number(variable(name)); processes > 0) return processes;
  bool const in_step =
      variable("SLURM_STEP_ID") != nullptr && std::strcmp(variable("SLURM_STEP_ID"), "batch") != 0;
  if (in_step) {
    for (auto const* name : {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"})
      if (auto const processes = number(variable(name)); processes > 0) return processes;
  }
  return 1;
}

std::string refusal_of(std::int64_t processes) {
  if (processes <= 1) return {};
  return "started as one of " + std::to_string(processes) +
         " processes, but this version trains in a single process; start it without a launcher, or "
         "with one task (srun --ntasks=1, mpirun -n 1)";
}

}  // namespace lbann::runtime
