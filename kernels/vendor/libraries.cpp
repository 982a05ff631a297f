// Each library is asked itself, since the one found at run time may be another than was built with.
#include "kernels/libraries.hpp"

#include <Kokkos_Core.hpp>

extern "C" char* openblas_get_config();

namespace lbann::kernels {

std::string kokkos_description() {
  constexpr int version = KOKKOS_VERSION;
  return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
         std::to_string(version % 100) + ", " + Kokkos::DefaultExecutionSpace::name();
}

std::string blas_description() { return openblas_get_config(); }

}  // namespace lbann::kernels
