// Entries that a pooling window covers.
#pragma once

#include <Kokkos_Core.hpp>

#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels {

/// The most negative finite number: the largest entry of an empty window.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T lowest() {
  return sizeof(T) == 4 ? T(-3.402823466385288598e+38) : T(-1.7976931348623157e+308);
}

/// Calls f(first entry of the line) for each line of taps inside the input, of the windows in row
/// (p0, p1) of positions, in C order.
template <class F>
KOKKOS_INLINE_FUNCTION void for_each_line(WindowGeometry const& g, std::int64_t p0, std::int64_t p1,
                                          F const& f) {
  auto const& [a, b, c] = g.axes;
  for (std::int64_t t0 = 0; t0 < a.taps; ++t0) {
    auto const i0 = p0 * a.stride + t0 - a.padding;
    if (i0 < 0 || i0 >= a.from) continue;
    for (std::int64_t t1 = 0; t1 < b.taps; ++t1) {
      auto const i1 = p1 * b.stride + t1 - b.padding;
      if (i1 >= 0 && i1 < b.from) f((i0 * b.from + i1) * c.from);
    }
  }
}

/// Calls f(entry of the channel) for each tap inside the input of the window at a position, in C
/// order.
template <class F>
KOKKOS_INLINE_FUNCTION void for_each_entry(WindowGeometry const& g, std::int64_t p0,
                                           std::int64_t p1, std::int64_t p2, F const& f) {
  auto const& axis = g.axes[2];
  for_each_line(g, p0, p1, [&](std::int64_t line) {
    for (std::int64_t t2 = 0; t2 < axis.taps; ++t2) {
      auto const i2 = p2 * axis.stride + t2 - axis.padding;
      if (i2 >= 0 && i2 < axis.from) f(line + i2);
    }
  });
}

}  // namespace lbann::kernels
