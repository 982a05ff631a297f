// One index after the other on all threads or on the device, serially where that is faster.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <type_traits>

#include "kernels/thread_team.hpp"

namespace lbann::kernels::kokkos {

/// Whether portable kernels run on the host: code that differs asks this in `if constexpr`.
inline constexpr bool on_host =
    std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>;

/// Work below this, in estimated nanoseconds on one core, is not worth waking other threads for.
inline constexpr double serial_cost = 4000;

/// How many calls a launch makes at the same time.
inline std::int64_t threads_of_launch() {
  if constexpr (on_host)
    return ThreadTeam::size();
  else
    return static_cast<std::int64_t>(Kokkos::DefaultExecutionSpace().concurrency());
}

/// Calls f(i) for all i in [0, count) on the threads of the host, each a contiguous range.
template <class F>
void launch_on_threads(std::int64_t count, F const& f) {
  auto const threads = std::min(ThreadTeam::size(), count);
  ThreadTeam::for_each_part(threads, [&](std::int64_t part) {
    auto const end = count * (part + 1) / threads;
    for (auto i = count * part / threads; i < end; ++i) f(i);
  });
}

/// Calls f(i) for all i in [0, count), in any order; `cost` is the time of all in nanoseconds.
template <class F>
void launch(std::int64_t count, double cost, F const& f) {
  if (count <= 0) return;
  if constexpr (on_host) {
    if (cost < serial_cost || count == 1) {
      for (std::int64_t i = 0; i < count; ++i) f(i);
      return;
    }
    launch_on_threads(count, f);
  } else {
    Kokkos::parallel_for(
        "lbann",
        Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<std::int64_t>>(0,
                                                                                            count),
        f);
  }
}

}  // namespace lbann::kernels::kokkos
