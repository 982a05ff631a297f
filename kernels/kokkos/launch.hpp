// The launcher of portable kernels: calls a functor for all indices on the device of this build, or
// on the threads of the host. Nothing else asks which it is.
#pragma once

#include <Kokkos_Core.hpp>

#include "kernels/device/device.hpp"
#include "kernels/tasks.hpp"
#if defined(LBANN_CUDA_DEVICE)
#include "kernels/device/cuda.hpp"
#elif defined(LBANN_EMULATED_DEVICE)
#include "kernels/device/emulated.hpp"
#endif

namespace lbann::kernels::kokkos {

/// How many indices a launch works on at the same time.
inline std::int64_t concurrency() {
  return device::has_own_memory() ? device::concurrency() : ThreadTeam::size();
}

/// Calls f(i) for all i in [0, count), in any order and concurrently; on a device, once all that
/// was launched before has been done. `cost` is the time of all calls on one core in nanoseconds:
/// small launches run serially on the host.
template <class F>
void launch(std::int64_t count, [[maybe_unused]] double cost, F const& f) {
  if (count <= 0) return;
#if defined(LBANN_CUDA_DEVICE)
  device::launch(count, f);
#elif defined(LBANN_EMULATED_DEVICE)
  device::enqueue([=] { launch_on_threads(count, f); });
#else
  launch_on_threads(count, cost, f);
#endif
}

}  // namespace lbann::kernels::kokkos
