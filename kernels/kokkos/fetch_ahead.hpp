// Memory asked for before it is needed.
#pragma once

#include "kernels/kokkos/launch.hpp"

namespace lbann::kernels::kokkos {

/// Asks for `count` elements towards this core's caches, so that they come while it computes: rows
/// in turn, which processors do not foresee beyond a page. Devices have other threads to run.
template <class T>
KOKKOS_FUNCTION void fetch_ahead(T const* from, std::int64_t count) {
  if constexpr (on_host) {
    constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t i = 0; i < count; i += line) __builtin_prefetch(from + i, 0, 2);
  }
}

}  // namespace lbann::kernels::kokkos
