// How the process was launched, from environment variables.
#pragma once

#include <cstdint>
#include <string>

namespace lbann::runtime {

/// Looks an environment variable up; null if it is not set (std::getenv).
using Variable = char const* (*)(char const* name);

/// How this process was started.
struct Launch {
  std::int64_t processes = 1;  ///< started by the launcher, or requested
  std::int64_t rank = 0;       ///< of this process among them
  bool connected = false;      ///< MPI_Init can connect to the others
  bool slurm = false;          ///< Slurm's srun, or a shell of its allocation
};

/// mpirun of Open MPI, MPICH and MVAPICH, and Slurm. In the shell of an allocation of several tasks
/// `processes` is their number, so that a run started there without srun or mpirun is refused.
Launch find_launch(Variable variable);

/// Why a run is refused if `launch` contradicts the `world` processes that MPI has; else empty.
/// `with_mpi`: whether this program was built with MPI.
std::string refusal_of(Launch const& launch, std::int64_t world, bool with_mpi);

}  // namespace lbann::runtime
