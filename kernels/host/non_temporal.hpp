// When results are written with non-temporal stores, and loops that do.
//
// A non-temporal store writes a cache line to memory without reading it first (no read for
// ownership) and without displacing other lines from the caches. It pays for outputs larger than
// the last-level cache; smaller ones are faster written to the caches, where the next kernel finds
// them.
#pragma once

#include <cstdint>

#include "kernels/host/vector.hpp"

namespace lbann::kernels::host {

/// Outputs of at least this many bytes use non-temporal stores where rows are not written in memory
/// order. Mutable so that tests can lower it.
inline std::int64_t non_temporal_bytes = std::int64_t{1} << 24;
/// The same for outputs written in memory order, for which ordinary stores stay fast as long as the
/// last-level cache holds what the next kernel reads (docs/performance_notes.md, "Past the
/// caches").
inline std::int64_t non_temporal_bytes_in_order() { return 4 * non_temporal_bytes; }

/// Rows of `bytes` that a thread writes between two store fences: enough that all its write
/// combining buffers are busy.
inline std::int64_t rows_per_fence(bool non_temporal, std::int64_t bytes) {
  return non_temporal && bytes > 0 ? 65536 / bytes + 1 : 1;
}

/// Whether an output of `elements` at `to` is written with non-temporal stores: it has at least
/// `least` bytes, and its rows, which begin multiples of `row` elements from `to`, are aligned to
/// whole registers as `store_non_temporal` demands.
template <class T>
bool takes_non_temporal_stores(T const* to, std::int64_t elements, std::int64_t row,
                               std::int64_t least = non_temporal_bytes) {
  auto const bytes = static_cast<std::int64_t>(sizeof(T));
  return elements * bytes >= least && row * bytes % 64 == 0 &&
         reinterpret_cast<std::uintptr_t>(to) % 64 == 0;
}

/// Copies `count` elements. With `non_temporal` whole registers are written by non-temporal stores,
/// unaligned ends by ordinary ones; the caller ends with `store_fence`.
template <class T>
inline void copy_run(T* to, T const* from, std::int64_t count, bool non_temporal) {
  if (non_temporal) {
    std::int64_t i = 0;
    for (; i < count && reinterpret_cast<std::uintptr_t>(to + i) % sizeof(Vector<T>) != 0; ++i)
      to[i] = from[i];
    for (; i + lanes<T> <= count; i += lanes<T>) store_non_temporal(to + i, load_vector(from + i));
    for (; i < count; ++i) to[i] = from[i];
    return;
  }
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
}

/// Calls f(row) for the `group` rows of group number `index`, then a store fence; without
/// non-temporal stores a group is one row, and there is no fence.
template <bool non_temporal, class F>
inline void for_each_row(std::int64_t index, std::int64_t group, std::int64_t rows, F const& f) {
  if constexpr (!non_temporal) return f(index);
  std::int64_t const first = index * group;
  for (std::int64_t row = first; row < first + group && row < rows; ++row) f(row);
  store_fence();
}

}  // namespace lbann::kernels::host
