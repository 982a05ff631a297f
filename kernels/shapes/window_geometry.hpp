// Extents and strides of a convolution or pooling along three spatial axes; missing axes come first
// and have extent 1.
#pragma once

#include <span>

#include "kernels/kernel.hpp"

namespace lbann::kernels {

/// Along an axis, position p sees entry p * stride + t * dilation - padding through tap t.
struct WindowAxis {
  std::int64_t from = 1;  ///< entries of the input
  std::int64_t to = 1;    ///< positions of the window
  std::int64_t taps = 1, stride = 1, padding = 0, dilation = 1;

  /// Entry that a position sees through a tap; -1 in the padding.
  constexpr std::int64_t entry(std::int64_t position, std::int64_t tap) const {
    auto const at = position * stride + tap * dilation - padding;
    return at >= 0 && at < from ? at : -1;
  }
  /// Position that sees an entry through a tap; -1 if none does.
  constexpr std::int64_t position(std::int64_t entry, std::int64_t tap) const {
    auto const distance = entry - (tap * dilation - padding);
    return distance >= 0 && distance % stride == 0 && distance / stride < to ? distance / stride
                                                                             : -1;
  }
};

/// Plain data, copied to devices as it is.
struct WindowGeometry {
  std::int64_t samples = 0, channels = 1, filters = 1, groups = 1;
  WindowAxis axes[3];  ///< spatial axes, the last one contiguous

  constexpr std::int64_t entries() const { return axes[0].from * axes[1].from * axes[2].from; }
  constexpr std::int64_t positions() const { return axes[0].to * axes[1].to * axes[2].to; }
  constexpr std::int64_t taps() const { return axes[0].taps * axes[1].taps * axes[2].taps; }
  constexpr std::int64_t depth() const { return channels / groups; }  ///< channels of a group
  constexpr std::int64_t group_filters() const { return filters / groups; }
};

/// Whether windows are single entries, none of them in a margin.
constexpr bool are_single_entries(WindowGeometry const& g) {
  for (auto const& axis : g.axes)
    if (axis.taps != 1 || axis.padding != 0) return false;
  return true;
}

/// Of an input [samples, channels, ...], an output [samples, filters, ...] and a window; no
/// dilation means 1 everywhere.
inline WindowGeometry window_geometry(View const& input, View const& output,
                                      std::span<std::int64_t const> taps,
                                      std::span<std::int64_t const> stride,
                                      std::span<std::int64_t const> padding,
                                      std::span<std::int64_t const> dilation, std::int64_t groups) {
  WindowGeometry g;
  g.samples = input.extents[0];
  g.channels = input.extents[1];
  g.filters = output.extents[1];
  g.groups = groups;
  auto const rank = taps.size();
  for (std::size_t i = 0; i < rank; ++i)
    g.axes[3 - rank + i] = {input.extents[2 + i],
                            output.extents[2 + i],
                            taps[i],
                            stride[i],
                            padding[i],
                            dilation.empty() ? 1 : dilation[i]};
  return g;
}

/// Of a pooling from x to y, or of its gradient.
template <class Op>
WindowGeometry pooling_geometry(Op const& op, View const& x, View const& y) {
  return window_geometry(x, y, op.window, op.stride, op.padding, {}, 1);
}

/// Extents of a kernel [filters, channels, ...] beyond its first two.
inline std::span<std::int64_t const> taps_of(View const& kernel) {
  return std::span(kernel.extents).subspan(2, kernel.rank - 2u);
}

/// Of a convolution `op` from `input` to `output` by `kernel`, or of one of its gradients.
template <class Op>
WindowGeometry geometry_of(Op const& op, View const& input, View const& output,
                           View const& kernel) {
  return window_geometry(input, output, taps_of(kernel), op.stride, op.padding, op.dilation,
                         op.groups);
}

}  // namespace lbann::kernels
