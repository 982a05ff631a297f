// Entries that a pooling window covers.
#pragma once

#include <Kokkos_Core.hpp>

#include "kernels/shapes/division.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels {

/// The most negative finite number: the largest entry of an empty window.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T lowest() {
  return sizeof(T) == 4 ? T(-3.402823466385288598e+38) : T(-1.7976931348623157e+308);
}

/// A channel of a sample, and where in it.
struct Place {
  std::int64_t channel, along[3];
};

/// The place of number `index` of all channels, which have such extents.
KOKKOS_INLINE_FUNCTION Place place_of(std::int64_t index, std::int64_t planes, std::int64_t rows,
                                      std::int64_t columns) {
  auto const [line, column] = divide(index, columns);
  auto const [plane, row] = divide(line, rows);
  auto const [channel, first] = divide(plane, planes);
  return {channel, {first, row, column}};
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

/// Whether indices of this many elements fit 32 bits, in which a GPU computes several times as
/// fast.
constexpr bool is_short(std::int64_t elements) { return elements < (std::int64_t{1} << 31); }

/// Taps [begin, end) of a window that lie inside the input, and the entry under the first of all
/// taps, which may lie before the input.
template <class Index>
struct InsideTaps {
  Index begin, end, start;
};
template <class Index>
KOKKOS_INLINE_FUNCTION InsideTaps<Index> taps_inside(WindowAxis const& axis, Index position) {
  auto const start = position * static_cast<Index>(axis.stride) - static_cast<Index>(axis.padding);
  auto const rest = static_cast<Index>(axis.from) - start, taps = static_cast<Index>(axis.taps);
  return {start < 0 ? -start : 0, rest < taps ? rest : taps, start};
}

/// Calls f(entry of the channel) for each tap inside the input of the window at a position, in C
/// order.
template <class Index, class F>
KOKKOS_INLINE_FUNCTION void for_each_entry(WindowGeometry const& g, Index p0, Index p1, Index p2,
                                           F const& f) {
  auto const a = taps_inside(g.axes[0], p0), b = taps_inside(g.axes[1], p1),
             c = taps_inside(g.axes[2], p2);
  auto const rows = static_cast<Index>(g.axes[1].from),
             columns = static_cast<Index>(g.axes[2].from);
  for (Index t0 = a.begin; t0 < a.end; ++t0)
    for (Index t1 = b.begin; t1 < b.end; ++t1) {
      auto const line = ((a.start + t0) * rows + b.start + t1) * columns + c.start;
      for (Index t2 = c.begin; t2 < c.end; ++t2) f(line + t2);
    }
}

}  // namespace lbann::kernels
