// Initialisation and finalisation of MPI.
#pragma once

#include <memory>
#include <string>

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// MPI is initialised while one exists. One per process.
class Mpi {
 public:
  Mpi();
  ~Mpi();
  Mpi(Mpi const&) = delete;
  /// All processes of the job.
  std::unique_ptr<Communicator> world();
};

/// The library's name and version, e.g. `Open MPI v4.1.4, ...`; MPI need not be initialised.
std::string mpi_description();

/// Whether this program was built with MPI; without it `Mpi` must not be constructed.
bool built_with_mpi();

/// Ends all processes of the job with this exit code (MPI_Abort); without MPI this process alone.
/// Buffered output of other ranks may be lost.
[[noreturn]] void end_job(int code);

}  // namespace lbann::runtime
