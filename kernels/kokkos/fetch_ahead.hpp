// Memory asked for before it is needed.
#pragma once

#include "kernels/kokkos/launch.hpp"

namespace lbann::kernels::kokkos {

namespace detail {

template <int writes, int nearness, class T>
inline void fetch_lines(T const* from, std::int64_t count) {
  constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t i = 0; i < count; i += line) {
    __builtin_prefetch(from + i, writes, nearness);
    // gcc 12 takes a loop for useless that does nothing but fetch, where it stands under a
    // condition.
    asm volatile("" ::"r"(from + i));
  }
}

}  // namespace detail

/// Asks for `count` elements towards this core's caches, so that they come while it computes: rows
/// in turn, which processors do not foresee beyond a page. Devices have other threads to run.
template <class T>
KOKKOS_FUNCTION void fetch_ahead(T const* from, std::int64_t count) {
  if constexpr (on_host) detail::fetch_lines<0, 2>(from, count);
}

/// The same of a few that are read so soon that the first cache holds them until then.
template <class T>
KOKKOS_FUNCTION void fetch_soon(T const* from, std::int64_t count) {
  if constexpr (on_host) detail::fetch_lines<0, 3>(from, count);
}

/// The same of elements that are to be written.
template <class T>
KOKKOS_FUNCTION void fetch_ahead_to_write(T const* from, std::int64_t count) {
  if constexpr (on_host) detail::fetch_lines<1, 2>(from, count);
}

}  // namespace lbann::kernels::kokkos
