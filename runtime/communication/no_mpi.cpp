// Replaces mpi.cpp in builds without MPI: runs of a single process only.
#include <cstdlib>

#include "runtime/communication/mpi.hpp"

namespace lbann::runtime {

Mpi::Mpi() = default;
Mpi::~Mpi() = default;
std::unique_ptr<Communicator> Mpi::world() { return single_process(); }
std::string mpi_description() { return "none, a single process"; }
bool built_with_mpi() { return false; }
void end_job(int code) { std::_Exit(code); }

}  // namespace lbann::runtime
