// What launchers leave in the environment.
#pragma once

#include <cstdint>
#include <string>

namespace lbann::runtime {

/// Looks an environment variable up; null if it is not set (std::getenv).
using Variable = char const* (*)(char const* name);

/// What started this process, as the environment tells.
struct Launch {
  std::int64_t processes = 1;  ///< the launcher started, or was asked for
  std::int64_t rank = 0;       ///< of this process among them
  bool connected = false;      ///< MPI_Init will find the others
  bool slurm = false;          ///< Slurm's srun, or a shell of its allocation
};

/// mpirun of Open MPI, MPICH and MVAPICH, and Slurm. In the shell of an allocation of several tasks
/// `processes` is their number: whoever starts a run there without srun or mpirun forgot it.
Launch find_launch(Variable variable);

/// Why a run of `launch` that finds itself in a world of `world` processes is refused, or nothing.
/// `with_mpi`: whether this program was built with MPI.
std::string refusal_of(Launch const& launch, std::int64_t world, bool with_mpi);

}  // namespace lbann::runtime
