// Tasks shared out to the threads of the host, each thread with scratch of its own.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/thread_team.hpp"

namespace lbann::kernels::kokkos {

/// Threads that work on so many tasks, at least one.
inline std::int64_t workers_for(std::int64_t tasks) {
  return std::max<std::int64_t>(1, std::min(ThreadTeam::size(), tasks));
}

/// Calls body(task, worker) for each task; the calls of a worker < workers_for(tasks) come one
/// after the other. Each worker has the same contiguous range of tasks in every call, so that what
/// lies in the caches of its core is used there again: tasks taken by a ticket move between cores,
/// and where those share no cache two threads are then as slow as one.
template <class Body>
void for_each_task(std::int64_t tasks, Body const& body) {
  auto const workers = workers_for(tasks);
  ThreadTeam::for_each_part(workers, [&](std::int64_t worker) {
    auto const end = tasks * (worker + 1) / workers;
    for (auto task = tasks * worker / workers; task < end; ++task) body(task, worker);
  });
}

}  // namespace lbann::kernels::kokkos
