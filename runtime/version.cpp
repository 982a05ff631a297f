// Version text for bug reports: this program, its build target and the libraries found at run time.
#include "runtime/version.hpp"

#include "kernels/libraries.hpp"
#include "runtime/communication/mpi.hpp"
#include "runtime/loading/instruction_set.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/samples/hdf5_file.hpp"
#include "schemas/vocabulary/version.hpp"

namespace lbann::runtime {

std::string version_text() {
  std::string extensions;
  for (auto const& set : instruction_sets())
    if (set.used) extensions += (extensions.empty() ? ": " : " ") + std::string(set.name);
  return version_line("lbann-run") + "\nplan format: " + std::to_string(plan_version) +
         "\ninstruction set: " LBANN_CPU + extensions +
         "\nKokkos: " + kernels::kokkos_description() + "\nMPI: " + mpi_description() +
         "\nBLAS: " + kernels::blas_description() +
         "\nHDF5: " + (hdf5_release().empty() ? "none" : hdf5_release());
}

}  // namespace lbann::runtime
