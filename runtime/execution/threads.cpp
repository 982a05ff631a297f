// OpenMP is told the number of threads first; Kokkos and BLAS take it from there.
#include "runtime/execution/threads.hpp"

#include <omp.h>
#include <sched.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdlib>

namespace lbann::runtime {

std::int64_t default_threads() {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return omp_get_max_threads();
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return omp_get_num_procs();
  return std::max(1, CPU_COUNT(&mask));
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
