// How the map interpreter uses memory on a CPU.
#pragma once

#include "kernels/host/map/interpreter.hpp"
#include "kernels/host/non_temporal.hpp"
#include "kernels/host/prefetch.hpp"

namespace lbann::kernels::host {

/// Elements of type T in a tile: its sixteen registers, of 2 KiB each, fit the first-level cache.
template <class T>
inline constexpr int tile_width = 2048 / sizeof(T);

/// The memory policy of `run_map` on CPUs: software prefetch and non-temporal stores.
struct CpuMemory {
  static constexpr bool has_non_temporal_stores = true;
  template <class T>
  static void prefetch(T const* from, std::int64_t count) {
    host::prefetch(from, count);
  }
  template <class T>
  static void prefetch_for_write(T const* from, std::int64_t count) {
    host::prefetch_for_write(from, count);
  }
  template <class T>
  static void copy_non_temporal(T* to, T const* from, std::int64_t count) {
    copy_run(to, from, count, true);
  }
  static void store_fence() { host::store_fence(); }
};

}  // namespace lbann::kernels::host
