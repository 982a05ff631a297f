// Tiles fill registers while they are transformed, channels while they are multiplied.
#include "kernels/host/convolution/winograd/weight_gradient.hpp"

#include <algorithm>

#include "kernels/host/gradient_parts.hpp"
#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"
#include "schemas/operators/winograd_shapes.hpp"

namespace lbann::kernels::host {

using winograd::points;

namespace {

constexpr std::int64_t width = lanes<float>, columns = tile_columns<float>;
constexpr std::int64_t taps = winograd::tap_extent * winograd::tap_extent;
/// Tiles multiplied at a time: those of a register tile's columns stay in the first-level cache.
constexpr std::int64_t block_tiles = 192;
/// Panels of a task: their sums stay in the second-level cache.
constexpr std::int64_t most_panels = 32 / tile_rows;
/// Of the sums of a task at one point.
constexpr std::int64_t sums_elements = most_panels * tile_rows * columns + 16;
/// Panels that a task packs: of as many filters as a register has channels.
constexpr std::int64_t panels_of_task = std::max<std::int64_t>(width / tile_rows, 1);
/// Tasks for each thread that are enough.
constexpr std::int64_t enough_tasks = 4;

/// The sums of a task at all points, for the kernels of one filter and a register of channels:
/// to[channel * taps + tap].
void transform_back(float const* sums, float* to) {
  using V = Vector<float>;
  V rows[winograd::tap_extent][winograd::point_extent];
#pragma GCC unroll 6
  for (int j = 0; j < winograd::point_extent; ++j) {
    V m[6], y[3];
#pragma GCC unroll 6
    for (int i = 0; i < winograd::point_extent; ++i)
      m[i] = load_vector(sums + (i * winograd::point_extent + j) * sums_elements);
    winograd::transform_kernel_gradient(m, y);
#pragma GCC unroll 3
    for (int i = 0; i < winograd::tap_extent; ++i) rows[i][j] = y[i];
  }
  float numbers[taps * width];
#pragma GCC unroll 3
  for (int i = 0; i < winograd::tap_extent; ++i) {
    V y[3];
    winograd::transform_kernel_gradient(rows[i], y);
#pragma GCC unroll 3
    for (int j = 0; j < winograd::tap_extent; ++j)
      store_vector(numbers + (i * winograd::tap_extent + j) * width, y[j]);
  }
  transpose(numbers, width, taps, width, to, taps);
}

}  // namespace

bool WinogradWeightGradient::suits(WindowGeometry const& g) {
  return winograd::applies(g) &&
         WinogradShapes{g.samples, g.filters, g.channels, g.axes[1].to, g.axes[2].to}.suit();
}

WinogradWeightGradient::WinogradWeightGradient(WindowGeometry const& g)
    : tiles_(g.samples, {g.axes[1].from, g.axes[2].from}, {g.axes[1].to, g.axes[2].to},
             g.axes[1].padding, g.axes[2].padding),
      filters_(g.filters),
      channels_(g.channels),
      entries_(g.entries()),
      positions_(g.positions()),
      panels_(ceil_divide(g.filters, height)),
      blocks_(ceil_divide(g.channels, columns)) {
  WinogradShapes const shapes{g.samples, filters_, channels_, g.axes[1].to, g.axes[2].to};
  parts_ = shapes.gradient_parts();
  part_ = shapes.part_tiles();
  chunk_ = shapes.gradient_tiles();
  group_ = most_panels;
  auto const enough = parts_at_a_time(parts_) > 1 ? 1 : enough_tasks * ThreadTeam::size();
  while (group_ > 1 && blocks_ * ceil_divide(panels_, group_) < enough) --group_;
  groups_ = ceil_divide(panels_, group_);
}

std::int64_t WinogradWeightGradient::seen_elements() const { return chunk_ * columns + 16; }
std::int64_t WinogradWeightGradient::gradient_elements() const {
  return (chunk_ * height + 15) / 32 * 32 + 16;
}
std::int64_t WinogradWeightGradient::buffer_elements() const {
  return points * (blocks_ * seen_elements() + panels_ * gradient_elements());
}
std::int64_t WinogradWeightGradient::slot_elements() const {
  return points * std::max(sums_elements, std::max(width, height) * columns);
}
/// Blocks are of equal width, in whole registers.
std::int64_t WinogradWeightGradient::first_channel(std::int64_t block) const {
  return std::min(ceil_divide(channels_, width) * block / blocks_ * width, channels_);
}

std::int64_t WinogradWeightGradient::scratch_elements() const {
  return parts_at_a_time(parts_) * buffer_elements() + ThreadTeam::size() * slot_elements() +
         (parts_ - 1) * filters_ * channels_ * taps;
}

/// A register of channels, of tiles [first, first + count) of a chunk.
void WinogradWeightGradient::transform_x(float const* x, std::int64_t task, std::int64_t first,
                                         std::int64_t count, float* seen, float* slot) const {
  auto const tiles = ceil_divide(count, columns);
  auto const number = task / tiles, tile = task % tiles * columns;
  auto const channel = number * width, here = std::min(width, channels_ - channel);
  auto const some = std::min(columns, count - tile);
  for (std::int64_t c = 0; c < here; ++c)
    tiles_.transform_source(x + (channel + c) * entries_, channels_ * entries_, first + tile, some,
                            slot + c * points * columns, columns);
  auto block = std::int64_t{0};
  while (first_channel(block + 1) <= channel) ++block;
  float* const to =
      seen + block * points * seen_elements() + tile * columns + channel - first_channel(block);
  for (int point = 0; point < points; ++point)
    transpose(slot + point * columns, points * columns, here, some, to + point * seen_elements(),
              columns);
}

/// As many filters, in panels, of the same tiles.
void WinogradWeightGradient::transform_dy(float const* dy, std::int64_t task, std::int64_t first,
                                          std::int64_t count, float* packed, float* slot) const {
  auto const tiles = ceil_divide(count, columns);
  auto const begin = task / tiles * panels_of_task, tile = task % tiles * columns;
  auto const some = std::min(columns, count - tile);
  for (auto panel = begin; panel < std::min(begin + panels_of_task, panels_); ++panel) {
    auto const filter = panel * height, here = std::min(height, filters_ - filter);
    for (std::int64_t r = 0; r < here; ++r)
      tiles_.transform_gradient(dy + (filter + r) * positions_, filters_ * positions_, first + tile,
                                some, slot + r * points * columns, columns);
    float* const to = packed + panel * points * gradient_elements() + tile * height;
    for (int point = 0; point < points; ++point)
      pack_left<float, height>({slot + point * columns, points * columns, 1}, 0, here, 0, some,
                               to + point * gradient_elements());
  }
}

/// A group of panels times a block of channels.
void WinogradWeightGradient::multiply(float const* packed, float const* seen, std::int64_t task,
                                      std::int64_t count, float* sums) const {
  auto const block = task / groups_, panel = task % groups_ * group_;
  auto const end = std::min(panel + group_, panels_);
  auto const channels = first_channel(block + 1) - first_channel(block);
  auto const registers = static_cast<int>(ceil_divide(channels, width) * width);
  for (int point = 0; point < points; ++point)
    for (std::int64_t k = 0; k < count; k += block_tiles)
      for (auto p = panel; p < end; ++p)
        run_microkernel<float, height>(
            packed + (p * points + point) * gradient_elements() + k * height,
            seen + (block * points + point) * seen_elements() + k * columns, PackedRows{columns},
            std::min(block_tiles, count - k),
            {sums + point * sums_elements + (p - panel) * height * columns, columns,
             static_cast<int>(height), registers, k != 0});
}

void WinogradWeightGradient::write(float const* sums, std::int64_t task, bool add,
                                   float* dkernel) const {
  auto const block = task / groups_, filter = task % groups_ * group_ * height;
  auto const end = std::min(filter + group_ * height, filters_);
  float kernels[taps * width];
  for (auto o = filter; o < end; ++o)
    for (auto c = first_channel(block); c < first_channel(block + 1); c += width) {
      transform_back(sums + (o - filter) * columns + c - first_channel(block), kernels);
      float* const to = dkernel + (o * channels_ + c) * taps;
      auto const some = std::min(width, channels_ - c) * taps;
      for (std::int64_t i = 0; i < some; ++i) to[i] = add ? to[i] + kernels[i] : kernels[i];
    }
}

/// Sums of one part of the tiles, by `for_each` of for_each_gradient_part.
template <class ForEach>
void WinogradWeightGradient::sum_part(float const* x, float const* dy, std::int64_t part,
                                      float* buffer, float* slots, float* dkernel,
                                      ForEach const& for_each) const {
  float* const packed = buffer + blocks_ * points * seen_elements();
  auto const slot_of = [&](std::int64_t worker) { return slots + worker * slot_elements(); };
  auto const registers = ceil_divide(channels_, width);
  auto const begin = part * part_, end = std::min(begin + part_, tiles_.count());
  for (auto first = begin; first < end; first += chunk_) {
    auto const count = std::min(chunk_, end - first);
    auto const tiles = ceil_divide(count, columns), of_x = registers * tiles;
    for_each(of_x + ceil_divide(panels_, panels_of_task) * tiles,
             [&](std::int64_t task, std::int64_t worker) {
               if (task < of_x)
                 transform_x(x, task, first, count, buffer, slot_of(worker));
               else
                 transform_dy(dy, task - of_x, first, count, packed, slot_of(worker));
             });
    for_each(blocks_ * groups_, [&](std::int64_t task, std::int64_t worker) {
      multiply(packed, buffer, task, count, slot_of(worker));
      write(slot_of(worker), task, first != begin, dkernel);
    });
  }
}

void WinogradWeightGradient::run(float const* x, float const* dy, float* dkernel,
                                 float* scratch) const {
  auto const row = channels_ * taps;
  float* const slots = scratch + parts_at_a_time(parts_) * buffer_elements();
  float* const others = slots + ThreadTeam::size() * slot_elements();
  for_each_gradient_part(parts_, [&](std::int64_t part, std::int64_t buffer, auto const& for_each) {
    sum_part(x, dy, part, scratch + buffer * buffer_elements(), slots,
             part == 0 ? dkernel : others + (part - 1) * filters_ * row, for_each);
  });
  add_gradient_parts(dkernel, others, parts_ - 1, filters_, row);
}

}  // namespace lbann::kernels::host
