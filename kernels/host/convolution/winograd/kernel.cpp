// Kernels of some channels are put side by side, tap by tap, so that they fill registers.
#include "kernels/host/convolution/winograd/kernel.hpp"

#include <algorithm>

#include "kernels/host/convolution/winograd/transforms.hpp"
#include "kernels/host/products/microkernel.hpp"

namespace lbann::kernels::host::winograd {

namespace {

constexpr int taps = tap_extent * tap_extent;
/// Kernels transformed at a time: a few kilobytes, whole registers.
constexpr std::int64_t most_kernels = 256;

/// to[point * pitch + i] from seen[tap][i], for `count` kernels.
void transform_some(float const (&seen)[taps][most_kernels], std::int64_t count, float* to,
                    std::int64_t pitch) {
  using V = Vector<float>;
  for (std::int64_t k = 0; k < count; k += lanes<float>) {
    V columns[tap_extent][point_extent];
#pragma GCC unroll 3
    for (int x = 0; x < tap_extent; ++x)
      transform_kernel({load_vector(seen[x] + k), load_vector(seen[tap_extent + x] + k),
                        load_vector(seen[2 * tap_extent + x] + k)},
                       columns[x]);
    auto const rest = std::min<std::int64_t>(count - k, lanes<float>);
    LaneRange<float> const some(0, rest);
#pragma GCC unroll 6
    for (int i = 0; i < point_extent; ++i) {
      V u[6];
      transform_kernel({columns[0][i], columns[1][i], columns[2][i]}, u);
#pragma GCC unroll 6
      for (int j = 0; j < point_extent; ++j)
        some.store(to + (i * point_extent + j) * pitch + k, u[j]);
    }
  }
}

}  // namespace

Kernels::Kernels(std::int64_t result_channels, std::int64_t source_channels, bool of_gradient)
    : rows(result_channels),
      depth(source_channels),
      height(tile_height_for(result_channels)),
      gradient(of_gradient) {}

std::int64_t Kernels::point_elements() const { return (depth * height + 15) / 32 * 32 + 16; }
std::int64_t Kernels::panel_elements() const { return points * point_elements(); }

void Kernels::transform(float const* kernel, std::int64_t panel, float* to) const {
  auto const row_step = gradient ? taps : depth * taps, depth_step = gradient ? rows * taps : taps;
  auto const existing = std::min(height, rows - panel * height);
  float const* from = kernel + panel * height * row_step;
  float seen[taps][most_kernels] = {};
  for (std::int64_t d = 0; d < depth;) {
    auto const channels = std::min(most_kernels / height, depth - d);
    for (std::int64_t c = 0; c < channels; ++c, from += depth_step)
      for (std::int64_t r = 0; r < existing; ++r)
        for (int tap = 0; tap < taps; ++tap)
          seen[gradient ? taps - 1 - tap : tap][c * height + r] = from[r * row_step + tap];
    transform_some(seen, channels * height, to + d * height, point_elements());
    d += channels;
  }
}

}  // namespace lbann::kernels::host::winograd
