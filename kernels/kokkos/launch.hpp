// The launcher of portable kernels: calls a functor for all indices on the device, or on the
// threads of the host where Kokkos was built for the host. Nothing else asks which it is.
#pragma once

#include <Kokkos_Core.hpp>
#include <type_traits>

#include "kernels/tasks.hpp"

namespace lbann::kernels::kokkos {

/// Whether portable kernels run on the host.
inline constexpr bool on_host =
    std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>;

/// How many indices a launch works on at the same time.
inline std::int64_t concurrency() {
  if constexpr (on_host)
    return ThreadTeam::size();
  else
    return static_cast<std::int64_t>(Kokkos::DefaultExecutionSpace().concurrency());
}

/// Calls f(i) for all i in [0, count), in any order and concurrently. `cost` is the time of all
/// calls on one core in nanoseconds: small launches run serially on the host.
template <class F>
void launch(std::int64_t count, double cost, F const& f) {
  if (count <= 0) return;
  if constexpr (on_host) {
    launch_on_threads(count, cost, f);
  } else {
    using Policy =
        Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for("lbann", Policy(0, count), f);
  }
}

}  // namespace lbann::kernels::kokkos
