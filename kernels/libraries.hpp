// The libraries that kernels are made of, for reports of bugs.
#pragma once

#include <string>

namespace lbann::kernels {

/// `4.6.1, OpenMP`: version and the backend that kernels run on.
std::string kokkos_description();

/// What OpenBLAS says of itself: version, options of its build, processor it chose.
std::string blas_description();

}  // namespace lbann::kernels
