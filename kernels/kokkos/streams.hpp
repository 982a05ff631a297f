// Results that go past the caches.
#pragma once

#include "kernels/kokkos/launch.hpp"
#include "kernels/kokkos/vector.hpp"

namespace lbann::kernels::kokkos {

/// Results of so many bytes or more go past the caches where they are not written in the order they
/// lie in: memory need not be read before it is written. A variable for tests, which lower it.
inline std::int64_t streamed_bytes = std::int64_t{1} << 24;
/// The same of those written in order, which come fast from the last cache as long as it holds what
/// the next kernel reads (docs/performance.md, "Past the caches").
inline std::int64_t streamed_in_order() { return 4 * streamed_bytes; }

/// Rows of `bytes` after which a thread waits for its streams, all of them on their way at once.
inline std::int64_t rows_at_once(bool streams, std::int64_t bytes) {
  return streams && bytes > 0 ? 65536 / bytes + 1 : 1;
}

/// Whether results are streamed: `elements` in all, `least` bytes or more, in rows that begin
/// multiples of `row` elements from `to`, as `stream_vector` needs whole registers.
template <class T>
bool is_streamed(T const* to, std::int64_t elements, std::int64_t row,
                 std::int64_t least = streamed_bytes) {
  auto const bytes = static_cast<std::int64_t>(sizeof(T));
  return on_host && elements * bytes >= least && row * bytes % 64 == 0 &&
         reinterpret_cast<std::uintptr_t>(to) % 64 == 0;
}

/// Copies `count` elements; past the caches if `streams`, but for ends that fill no register, and
/// `finish_streams` is the caller's.
template <class T>
KOKKOS_FUNCTION void put(T* to, T const* from, std::int64_t count, bool streams) {
  if constexpr (on_host)
    if (streams) {
      std::int64_t i = 0;
      for (; i < count && reinterpret_cast<std::uintptr_t>(to + i) % sizeof(Vector<T>) != 0; ++i)
        to[i] = from[i];
      for (; i + lanes<T> <= count; i += lanes<T>) stream_vector(to + i, load_vector(from + i));
      for (; i < count; ++i) to[i] = from[i];
      return;
    }
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
}

/// Calls f(row) for the rows of an index that takes `at_once` of them, and waits for their streams;
/// without streams an index is a row.
template <bool streams, class F>
KOKKOS_FUNCTION void for_each_row(std::int64_t index, std::int64_t at_once, std::int64_t rows,
                                  F const& f) {
  if constexpr (!streams) return f(index);
  std::int64_t const first = index * at_once;
  for (std::int64_t row = first; row < first + at_once && row < rows; ++row) f(row);
  finish_streams();
}

}  // namespace lbann::kernels::kokkos
