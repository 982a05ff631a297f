// Entries that a pooling window covers, and what pooling costs.
#pragma once

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/window_geometry.hpp"

namespace lbann::kernels::kokkos {

/// The most negative finite number: the largest entry of an empty window.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T lowest() {
  return sizeof(T) == 4 ? T(-3.402823466385288598e+38) : T(-1.7976931348623157e+308);
}

/// Calls f(entry of the channel) for each tap inside of the window at a position, in C order.
template <class F>
KOKKOS_INLINE_FUNCTION void for_each_entry(WindowGeometry const& g, std::int64_t p0,
                                           std::int64_t p1, std::int64_t p2, F const& f) {
  auto const& [a, b, c] = g.axes;
  for (std::int64_t t0 = 0; t0 < a.taps; ++t0) {
    auto const i0 = p0 * a.stride + t0 - a.padding;
    if (i0 < 0 || i0 >= a.from) continue;
    for (std::int64_t t1 = 0; t1 < b.taps; ++t1) {
      auto const i1 = p1 * b.stride + t1 - b.padding;
      if (i1 < 0 || i1 >= b.from) continue;
      for (std::int64_t t2 = 0; t2 < c.taps; ++t2) {
        auto const i2 = p2 * c.stride + t2 - c.padding;
        if (i2 >= 0 && i2 < c.from) f((i0 * b.from + i1) * c.from + i2);
      }
    }
  }
}

/// Whether windows are the most frequent ones: maxima of 2 x 2, side by side, without padding.
inline bool are_pairs(WindowGeometry const& g, operators::PoolMode mode) {
  auto const is_pair = [](WindowAxis const& axis) {
    return axis.taps == 2 && axis.stride == 2 && axis.padding == 0;
  };
  return mode == operators::PoolMode::max && g.axes[0].from == 1 && g.axes[0].taps == 1 &&
         g.axes[0].padding == 0 && is_pair(g.axes[1]) && is_pair(g.axes[2]);
}

/// Nanoseconds for one channel of one sample.
inline double pooling_cost(WindowGeometry const& g) {
  return 0.5 * static_cast<double>(g.positions() * g.taps());
}

}  // namespace lbann::kernels::kokkos
