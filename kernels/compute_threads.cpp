// One thread for Kokkos' own space, which no kernel of ours uses on the host.
#include "kernels/compute_threads.hpp"

#include <Kokkos_Core.hpp>

namespace lbann::kernels {

ComputeThreads::ComputeThreads(std::int64_t threads, WaitPolicy policy,
                               std::function<void(std::int64_t)> const& started)
    : team_(threads, policy, started) {
#if KOKKOS_VERSION >= 30700
  Kokkos::initialize(
      Kokkos::InitializationSettings().set_num_threads(1).set_disable_warnings(true));
#else
  Kokkos::InitArguments arguments;
  arguments.num_threads = 1;
  arguments.disable_warnings = true;
  Kokkos::initialize(arguments);
#endif
}

ComputeThreads::~ComputeThreads() { Kokkos::finalize(); }

}  // namespace lbann::kernels
