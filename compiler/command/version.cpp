// What bug reports should hold. The compiler has neither kernels nor MPI that could differ.
#include "compiler/command/version.hpp"

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/version.hpp"

namespace lbann::compiler {

std::string version_text() {
  return version_line("lbann-compile") + "\nplan format: " + std::to_string(plan_version) +
         "\ninstruction set: any x86-64\nlibraries: " LBANN_LIBRARIES
         "; neither Kokkos, MPI nor BLAS";
}

}  // namespace lbann::compiler
