// MPI, from its initialisation to its end.
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

/// The library's own words, e.g. `Open MPI v4.1.4, ...`; MPI need not be initialised.
std::string mpi_description();

/// Whether this program was built with MPI; without it `Mpi` must not be made.
bool built_with_mpi();

/// Ends all processes of the job with this exit code, whatever they are doing; without MPI this
/// process alone. Buffered output of other ranks may be lost.
[[noreturn]] void end_job(int code);

}  // namespace lbann::runtime
