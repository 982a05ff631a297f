// Tasks taken by host threads one after the other, each thread with scratch of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "kernels/kokkos/launch.hpp"

namespace lbann::kernels::kokkos {

/// Most threads that work on one kernel: scratch is declared for so many.
inline constexpr std::int64_t most_workers = 64;

inline std::int64_t workers_for(std::int64_t tasks) {
  auto const threads = static_cast<std::int64_t>(Kokkos::DefaultHostExecutionSpace().concurrency());
  return std::max<std::int64_t>(1, std::min({threads, most_workers, tasks}));
}

/// Calls body(task, worker) for each task, worker < workers_for(tasks) no two at once.
template <class Body>
void for_each_task(std::int64_t tasks, Body const& body) {
  auto const workers = workers_for(tasks);
  if (workers == 1) {
    for (std::int64_t task = 0; task < tasks; ++task) body(task, 0);
    return;
  }
  std::atomic<std::int64_t> next{0};
  struct Worker {
    Body const* body;
    std::atomic<std::int64_t>* next;
    std::int64_t tasks;
    void operator()(std::int64_t worker) const {
      for (auto task = (*next)++; task < tasks; task = (*next)++) (*body)(task, worker);
    }
  };
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Policy =
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Static>>;
  Kokkos::parallel_for("tasks", Policy(0, workers), Worker{&body, &next, tasks});
}

}  // namespace lbann::kernels::kokkos
