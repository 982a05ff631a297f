// What a convolution and its input gradient have in common: sums over channels and taps of what
// positions see.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels {

/// Along one axis, position p sees entry p * stride + shifts[t] through tap t (zero if outside).
struct SourceAxis {
  std::int64_t from = 1, to = 1, stride = 1;
  std::vector<std::int64_t> shifts = {0};
};

/// Part of the result: all positions of a convolution; in an input gradient the entries of one
/// remainder modulo the stride, which all use the same taps.
struct CorrelationPass {
  std::array<SourceAxis, 3> axes;
  std::vector<std::int64_t> taps;  ///< numbers of the taps in the kernel, in the order of the axes
  std::int64_t begin[3] = {0, 0, 0}, step[3] = {1, 1, 1}, count[3] = {1, 1, 1};  ///< of the result

  std::int64_t positions() const { return count[0] * count[1] * count[2]; }
};

/// Writes numbers of positions [position, position + count) of a pass to their places in a channel
/// of the result, which has `extents` entries along the axes.
template <class T>
void spread(CorrelationPass const& pass, std::int64_t const (&extents)[3], T const* numbers,
            std::int64_t position, std::int64_t count, T* channel) {
  auto const width = pass.count[2], step = pass.step[2];
  for (auto const end = position + count; position < end;) {
    auto const z = position / width / pass.count[1], y = position / width % pass.count[1];
    auto const x = position % width, here = std::min(width - x, end - position);
    T* const line =
        channel +
        ((pass.begin[0] + z * pass.step[0]) * extents[1] + pass.begin[1] + y * pass.step[1]) *
            extents[2] +
        pass.begin[2] + x * step;
    for (std::int64_t i = 0; i < here; ++i) line[i * step] = *numbers++;
    position += here;
  }
}

/// The passes of a convolution, a single one, or with `gradient` of its input gradient.
std::vector<CorrelationPass> correlation_passes(WindowGeometry const& geometry, bool gradient);

}  // namespace lbann::kernels
