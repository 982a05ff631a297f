// Counts multiplications and bounds what is kept.
#include "schemas/operators/winograd_shapes.hpp"

#include <algorithm>

namespace lbann {

using operators::rules::plus;
using operators::rules::times;

namespace {

constexpr std::int64_t taps = 9;

std::int64_t over(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

std::int64_t WinogradShapes::tiles() const {
  return times(samples, times(over(height, tile_extent), over(width, tile_extent)));
}

bool WinogradShapes::suit() const {
  constexpr std::int64_t least_channels = 32, least_tiles = 16;
  return std::min(rows, depth) >= least_channels && tiles() >= least_tiles &&
         times(tiles(), 2 * points) <= times(samples, times(height, times(width, taps)));
}

std::int64_t WinogradShapes::scratch_elements(std::int64_t threads) const {
  // Registers have 4 to 16 lanes, register tiles three of them and up to 8 rows, and cache lines
  // lie between points.
  constexpr std::int64_t columns = 48, panel_rows = 8, group_rows = 32, group_elements = 1 << 18;
  auto const count = tiles();
  auto const block = plus(times(depth, columns), 16);
  auto const sums = group_rows * columns + 16;
  auto const panel = plus(times(depth, panel_rows), 47);
  auto const kernels = plus(times(plus(rows, panel_rows), depth), times(47, rows / 3 + 1));
  // With fewer samples there may be fewer tiles than rows.
  auto const few = std::min(count, rows);
  auto const seen = plus(times(few + columns, depth), times(16, few / 12 + 1));
  auto const group = std::max(panel, std::min(kernels, group_elements / points));
  auto const by_rows = plus(seen, times(threads, plus(group, sums)));
  auto const by_columns =
      count < rows ? 0 : plus(kernels, times(std::min(threads, count / 4 + 1), plus(block, sums)));
  return times(points, std::max(by_rows, by_columns));
}

/// Tiles that few megabytes hold, or as many numbers as the kernel has at all points.
std::int64_t WinogradShapes::most_gradient_tiles() const {
  constexpr std::int64_t least_numbers = 1 << 20, least_tiles = 48;
  auto const numbers = std::max(least_numbers, times(points, times(rows, depth)));
  return std::max(numbers / times(points, plus(rows, depth)), least_tiles);
}

std::int64_t WinogradShapes::gradient_parts() const {
  constexpr std::int64_t most_parts = 16;
  std::int64_t parts = 1;
  while (parts < most_parts && tiles() >= times(parts, most_gradient_tiles())) parts *= 2;
  return parts;
}

std::int64_t WinogradShapes::part_tiles() const { return over(tiles(), gradient_parts()); }

std::int64_t WinogradShapes::gradient_tiles() const {
  return over(part_tiles(), over(part_tiles(), most_gradient_tiles()));
}

std::int64_t WinogradShapes::gradient_scratch_elements(std::int64_t threads) const {
  // Register tiles have 12 to 48 columns and 4 or 8 rows.
  constexpr std::int64_t columns = 48, panel_rows = 8, slot = 32 * columns + 16;
  auto const count = std::min(most_gradient_tiles(), tiles()), parts = gradient_parts();
  auto const of_x = plus(times(count, plus(depth, columns)), times(16, depth / 12 + 1));
  auto const of_dy = plus(times(count, plus(rows, panel_rows)), times(47, rows / 4 + 1));
  auto const buffers = times(threads <= parts ? threads : 1, plus(of_x, of_dy));
  auto const sums = times(parts - 1, times(taps, times(rows, depth)));
  return plus(times(points, plus(buffers, times(threads, slot))), sums);
}

std::optional<WinogradShapes> winograd_shapes(Shape const& x, Shape const& kernel, Shape const& y,
                                              operators::rules::Window window, std::int64_t groups,
                                              bool gradient, std::int64_t samples) {
  auto const rank = kernel.rank();
  if (groups != 1 || rank < 4) return std::nullopt;
  for (std::size_t i = 2; i < rank; ++i) {
    bool const plane = i + 2 < rank;
    if (kernel.extents[i].size != (plane ? 1 : 3)) return std::nullopt;
    if (plane && (x.extents[i].size != 1 || y.extents[i].size != 1)) return std::nullopt;
    if (!plane && (window.stride[i - 2] != 1 || window.dilation[i - 2] != 1)) return std::nullopt;
  }
  auto const& images = gradient ? x : y;
  WinogradShapes const shapes{images.extents[0].at(samples), kernel.extents[gradient ? 1 : 0].size,
                              kernel.extents[gradient ? 0 : 1].size, images.extents[rank - 2].size,
                              images.extents[rank - 1].size};
  return shapes.suit() ? std::optional(shapes) : std::nullopt;
}

}  // namespace lbann
