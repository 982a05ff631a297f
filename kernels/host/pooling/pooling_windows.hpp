// Rows of pooling windows tap by tap, the special cases of pooling, and its cost.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/host/functor_kernel.hpp"
#include "kernels/kokkos/windows.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// Positions of a row of windows along the last axis, as one tap sees them.
struct TapOfRow {
  std::int64_t entry;        ///< entry of the channel at position 0, possibly outside
  std::int64_t first, last;  ///< positions [first, last) see entry + p * stride, which is inside
  std::int64_t fresh;        ///< positions before this one have seen no entry yet
};

/// Calls f(TapOfRow) for each tap of the windows in row (p0, p1), positions [begin, end) of it, in
/// C order of the taps; returns the number of taps inside along the first two axes.
template <class F>
inline std::int64_t for_each_tap(WindowGeometry const& g, std::int64_t p0, std::int64_t p1,
                                 std::int64_t begin, std::int64_t end, F const& f) {
  auto const& [a, b, c] = g.axes;
  std::int64_t rows = 0;
  for (std::int64_t t0 = 0; t0 < a.taps; ++t0) {
    auto const i0 = p0 * a.stride + t0 - a.padding;
    if (i0 < 0 || i0 >= a.from) continue;
    for (std::int64_t t1 = 0; t1 < b.taps; ++t1) {
      auto const i1 = p1 * b.stride + t1 - b.padding;
      if (i1 < 0 || i1 >= b.from) continue;
      auto fresh = rows++ == 0 ? end : begin;
      for (std::int64_t t2 = 0; t2 < c.taps; ++t2) {
        auto const before = std::max<std::int64_t>(c.padding - t2 + c.stride - 1, 0) / c.stride;
        auto const after =
            std::max<std::int64_t>(c.from + c.padding - t2 + c.stride - 1, 0) / c.stride;
        auto const first = std::clamp(before, begin, end), last = std::clamp(after, first, end);
        f(TapOfRow{(i0 * b.from + i1) * c.from + t2 - c.padding, first, last,
                   std::clamp(fresh, first, last)});
        fresh = std::min(fresh, first);
      }
    }
  }
  return rows;
}

/// Taps of position p of the last axis that are inside.
inline std::int64_t taps_inside(WindowAxis const& axis, std::int64_t p) {
  auto const begin = p * axis.stride - axis.padding;
  return std::max<std::int64_t>(
      std::min(begin + axis.taps, axis.from) - std::max<std::int64_t>(begin, 0), 0);
}

/// Whether rows of windows are so short that computing each window by itself is faster.
inline bool are_short(WindowGeometry const& g) { return g.axes[2].to < 8; }

/// Positions of a row of windows that are worked on together.
inline constexpr std::int64_t row_piece = 128;

/// Calls f(step) with the stride of the last axis, as a constant where it is 1 or 2, for loops that
/// vectorise.
template <class F>
inline void with_step(WindowGeometry const& g, F const& f) {
  auto const stride = g.axes[2].stride;
  if (stride == 1) return f(std::integral_constant<std::int64_t, 1>{});
  if (stride == 2) return f(std::integral_constant<std::int64_t, 2>{});
  f(stride);
}

/// Whether windows are the most frequent ones: maxima of 2 x 2, side by side, without padding.
inline bool are_pairs(WindowGeometry const& g, operators::PoolMode mode) {
  auto const is_pair = [](WindowAxis const& axis) {
    return axis.taps == 2 && axis.stride == 2 && axis.padding == 0;
  };
  return mode == operators::PoolMode::max && g.axes[0].from == 1 && g.axes[0].taps == 1 &&
         g.axes[0].padding == 0 && is_pair(g.axes[1]) && is_pair(g.axes[2]);
}

/// Whether means are those of whole channels.
inline bool are_global_means(WindowGeometry const& g, operators::PoolMode mode) {
  return mode != operators::PoolMode::max &&
         std::ranges::all_of(g.axes, [](WindowAxis const& axis) {
           return axis.to == 1 && axis.taps == axis.from && axis.padding == 0;
         });
}

/// Nanoseconds for one channel of one sample.
inline double pooling_cost(WindowGeometry const& g) {
  return 0.5 * static_cast<double>(g.positions() * g.taps());
}

}  // namespace lbann::kernels::host
