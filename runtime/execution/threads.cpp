// OpenMP is told the number of threads first; Kokkos and BLAS take it from there.
#include "runtime/execution/threads.hpp"

#include <omp.h>

#include <Kokkos_Core.hpp>
#include <cstdlib>

namespace lbann::runtime {

std::int64_t wanted_threads() {
  return std::getenv("OMP_NUM_THREADS") == nullptr ? 0 : omp_get_max_threads();
}

ComputeThreads::ComputeThreads(std::int64_t threads) {
  omp_set_dynamic(0);
  omp_set_num_threads(static_cast<int>(threads));
#if KOKKOS_VERSION >= 30700
  Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true));
#else
  Kokkos::InitArguments arguments;
  arguments.disable_warnings = true;
  Kokkos::initialize(arguments);
#endif
}

ComputeThreads::~ComputeThreads() { Kokkos::finalize(); }

}  // namespace lbann::runtime
