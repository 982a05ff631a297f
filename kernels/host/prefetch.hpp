// Software prefetch: asks for cache lines before they are needed.
#pragma once

#include <cstdint>

namespace lbann::kernels::host {

namespace detail {

template <int writes, int locality, class T>
inline void prefetch_lines(T const* from, std::int64_t count) {
  constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t i = 0; i < count; i += line) {
    __builtin_prefetch(from + i, writes, locality);
    // gcc 12 drops a loop that only prefetches where the loop stands under a condition.
    asm volatile("" ::"r"(from + i));
  }
}

}  // namespace detail

/// Prefetches `count` elements towards this core's second-level cache: for rows that are read in
/// turn but lie further apart than hardware prefetchers follow (a page).
template <class T>
inline void prefetch(T const* from, std::int64_t count) {
  detail::prefetch_lines<0, 2>(from, count);
}

/// The same into the first-level cache, for a few elements that are read soon.
template <class T>
inline void prefetch_to_l1(T const* from, std::int64_t count) {
  detail::prefetch_lines<0, 3>(from, count);
}

/// The same for elements that will be written: the lines are requested for ownership.
template <class T>
inline void prefetch_for_write(T const* from, std::int64_t count) {
  detail::prefetch_lines<1, 2>(from, count);
}

}  // namespace lbann::kernels::host
