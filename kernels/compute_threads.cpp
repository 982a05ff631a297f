// One thread for Kokkos' own space: kernels of the host run on the team, those of CUDA on the
// device.
#include "kernels/compute_threads.hpp"

#include <Kokkos_Core.hpp>

namespace lbann::kernels {

namespace {

void start_kokkos() {
#if defined(LBANN_CUDA_DEVICE)
  // Kernels are launched on a stream of our own, without Kokkos' runtime.
#elif KOKKOS_VERSION >= 30700
  Kokkos::initialize(
      Kokkos::InitializationSettings().set_num_threads(1).set_disable_warnings(true));
#else
  Kokkos::InitArguments arguments;
  arguments.num_threads = 1;
  arguments.disable_warnings = true;
  Kokkos::initialize(arguments);
#endif
}

}  // namespace

ComputeThreads::ComputeThreads(std::int64_t threads, WaitPolicy policy,
                               std::function<void(std::int64_t)> const& started)
    : team_(threads, policy, started) {
  start_kokkos();
}

ComputeThreads::ComputeThreads(std::int64_t threads, ThreadTeam::InTurn in_turn)
    : team_(threads, std::move(in_turn)) {
  start_kokkos();
}

ComputeThreads::~ComputeThreads() {
#if !defined(LBANN_CUDA_DEVICE)
  Kokkos::finalize();
#endif
}

}  // namespace lbann::kernels
