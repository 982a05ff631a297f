// Loops shared out to the threads of the host.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/thread_team.hpp"

namespace lbann::kernels {

/// Work below this, in estimated nanoseconds on one core, is done by the calling thread alone:
/// waking others costs as much.
inline constexpr double serial_cost = 4000;

/// Calls f(i) for all i in [0, count) on the threads of the team, each a contiguous range.
template <class F>
void launch_on_threads(std::int64_t count, F const& f) {
  auto const threads = std::min(ThreadTeam::size(), count);
  ThreadTeam::for_each_part(threads, [&](std::int64_t part) {
    auto const end = count * (part + 1) / threads;
    for (auto i = count * part / threads; i < end; ++i) f(i);
  });
}

/// The same, serially where that is faster; `cost` is the time of all calls in nanoseconds.
template <class F>
void launch_on_threads(std::int64_t count, double cost, F const& f) {
  if (count <= 0) return;
  if (cost < serial_cost || count == 1) {
    for (std::int64_t i = 0; i < count; ++i) f(i);
    return;
  }
  launch_on_threads(count, f);
}

/// How many threads work on `tasks` tasks; at least one.
inline std::int64_t workers_for(std::int64_t tasks) {
  return std::max<std::int64_t>(1, std::min(ThreadTeam::size(), tasks));
}

/// Calls body(task, worker) for each task; the calls of one worker < workers_for(tasks) follow one
/// another, so that each worker can have scratch of its own. A worker gets the same contiguous
/// range of tasks in every call and finds its data in its core's caches again. (Tasks taken from a
/// shared counter move between cores; where cores share no cache, two threads are then as slow as
/// one.)
template <class Body>
void for_each_task(std::int64_t tasks, Body const& body) {
  auto const workers = workers_for(tasks);
  ThreadTeam::for_each_part(workers, [&](std::int64_t worker) {
    auto const end = tasks * (worker + 1) / workers;
    for (auto task = tasks * worker / workers; task < end; ++task) body(task, worker);
  });
}

}  // namespace lbann::kernels
