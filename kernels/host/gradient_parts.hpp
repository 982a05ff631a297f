// Kernel gradients whose sums are cut into parts of a mini-batch.
#pragma once

#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

/// How many parts are summed at a time, each in a buffer of its own: one by each thread where there
/// are enough parts, so that no core reads what another one has laid out, or one by all threads.
inline std::int64_t parts_at_a_time(std::int64_t parts) {
  return ThreadTeam::size() <= parts ? ThreadTeam::size() : 1;
}

/// Calls sum(part, buffer, for_each) for each part, with buffer < parts_at_a_time(parts).
/// for_each(tasks, body) calls body(task, worker) on the threads that share the part, as
/// `for_each_task` does. Workers that run at the same time have different numbers, across all
/// parts, so that each can have scratch of its own.
template <class Sum>
void for_each_gradient_part(std::int64_t parts, Sum const& sum) {
  if (ThreadTeam::size() <= parts) {
    for_each_task(parts, [&](std::int64_t part, std::int64_t worker) {
      sum(part, worker, [&](std::int64_t tasks, auto const& body) {
        for (std::int64_t task = 0; task < tasks; ++task) body(task, worker);
      });
    });
    return;
  }
  for (std::int64_t part = 0; part < parts; ++part)
    sum(part, std::int64_t{0},
        [](std::int64_t tasks, auto const& body) { for_each_task(tasks, body); });
}

/// Adds to `sums`, of `rows` rows of `row` elements, those of `count` parts that follow one another
/// in `others`.
template <class T>
void add_gradient_parts(T* sums, T const* others, std::int64_t count, std::int64_t rows,
                        std::int64_t row) {
  if (count == 0) return;
  for_each_task(rows, [&](std::int64_t i, std::int64_t) {
    T* const to = sums + i * row;
    for (std::int64_t part = 0; part < count; ++part) {
      T const* const from = others + (part * rows + i) * row;
      for (std::int64_t j = 0; j < row; ++j) to[j] += from[j];
    }
  });
}

}  // namespace lbann::kernels::host
