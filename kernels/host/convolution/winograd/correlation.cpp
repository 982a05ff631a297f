// The loops around the microkernel.
#include "kernels/host/convolution/winograd/correlation.hpp"

#include <algorithm>

#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"
#include "schemas/operators/winograd_shapes.hpp"

namespace lbann::kernels::host {

namespace {

/// Channels multiplied at a time: those of a register tile's columns stay in the first-level cache.
constexpr std::int64_t block_depth = 192;
/// Elements of transformed kernels, and rows, that are multiplied by one block after another: they
/// and the sums stay in the second-level cache.
constexpr std::int64_t group_elements = 1 << 18, most_rows = 32;
/// Channels of a task that transforms.
constexpr std::int64_t task_channels = 8;

/// `count` tasks, or a few more, up to `most`, where threads would else get unequal shares.
std::int64_t even(std::int64_t count, std::int64_t most) {
  auto const threads = ThreadTeam::size();
  return count < 8 * threads ? std::min(round_up(count, threads), most) : count;
}

WinogradShapes shapes_of(WindowGeometry const& g, bool gradient) {
  auto const extent = [&](int axis) { return gradient ? g.axes[axis].from : g.axes[axis].to; };
  return {g.samples, gradient ? g.channels : g.filters, gradient ? g.filters : g.channels,
          extent(1), extent(2)};
}

}  // namespace

bool WinogradCorrelation::suits(WindowGeometry const& g, bool gradient) {
  return winograd::applies(g) && shapes_of(g, gradient).suit();
}

WinogradCorrelation::WinogradCorrelation(WindowGeometry const& g, bool gradient)
    : kernels_(gradient ? g.channels : g.filters, gradient ? g.filters : g.channels, gradient),
      source_entries_(gradient ? g.positions() : g.entries()),
      result_entries_(gradient ? g.entries() : g.positions()) {
  auto const &rows = g.axes[1], &columns = g.axes[2];
  winograd::Image const input{rows.from, columns.from}, output{rows.to, columns.to};
  // Entry q of an input gradient sees positions q + padding - 2 to q + padding.
  auto const padding = [&](WindowAxis const& axis) {
    return gradient ? winograd::tap_extent - 1 - axis.padding : axis.padding;
  };
  tiles_ = {g.samples, gradient ? output : input, gradient ? input : output, padding(rows),
            padding(columns)};
  group_ = std::clamp<std::int64_t>(group_elements / kernels_.panel_elements(), 1,
                                    std::max<std::int64_t>(most_rows / kernels_.height, 1));
  groups_ = ceil_divide(kernels_.panels(), group_);
  blocks_ = ceil_divide(tiles_.count(), tile_columns<float>);
  if (by_columns())
    blocks_ = even(blocks_, ceil_divide(tiles_.count(), lanes<float>));
  else
    groups_ = even(groups_, kernels_.panels());
}

std::int64_t WinogradCorrelation::point_elements() const {
  return kernels_.depth * tile_columns<float> + 16;
}
std::int64_t WinogradCorrelation::block_elements() const {
  return winograd::points * point_elements();
}
std::int64_t WinogradCorrelation::sums_elements() const {
  return winograd::points * (group_ * kernels_.height * tile_columns<float> + 16);
}
/// Blocks are of equal width, so that none is a narrow rest.
std::int64_t WinogradCorrelation::first_tile(std::int64_t block) const {
  auto const registers = ceil_divide(tiles_.count(), lanes<float>);
  return std::min(registers * block / blocks_ * lanes<float>, tiles_.count());
}
std::int64_t WinogradCorrelation::first_panel(std::int64_t group) const {
  return kernels_.panels() * group / groups_;
}
bool WinogradCorrelation::by_columns() const { return tiles_.count() >= kernels_.rows; }

std::int64_t WinogradCorrelation::scratch_elements(bool) const {
  auto const panels = kernels_.panels() * kernels_.panel_elements();
  if (by_columns()) return panels + workers_for(blocks_) * (block_elements() + sums_elements());
  return blocks_ * block_elements() +
         workers_for(groups_) * (group_ * kernels_.panel_elements() + sums_elements());
}

/// Channels [channel, end) of what the tiles of a block see.
void WinogradCorrelation::transform_source(float const* source, std::int64_t block,
                                           std::int64_t channel, std::int64_t end,
                                           float* to) const {
  auto const first = first_tile(block), count = first_tile(block + 1) - first;
  for (auto c = channel; c < end; ++c)
    tiles_.transform_source(source + c * source_entries_, kernels_.depth * source_entries_, first,
                            count, to + c * tile_columns<float>, point_elements());
}

/// A group of panels times a block of columns.
void WinogradCorrelation::multiply(Tensors const& tensors, float const* panels, std::int64_t group,
                                   float const* seen, std::int64_t block, float* sums) const {
  constexpr auto pitch = tile_columns<float>;
  auto const height = kernels_.height, depth = kernels_.depth;
  auto const first = first_tile(block), count = first_tile(block + 1) - first;
  auto const registers = ceil_divide(count, lanes<float>);
  auto const here = first_panel(group + 1) - first_panel(group);
  auto const point_sums = group_ * height * pitch + 16;
  for (int point = 0; point < winograd::points; ++point)
    for (std::int64_t c = 0; c < depth; c += block_depth)
      for (std::int64_t panel = 0; panel < here; ++panel) {
        float const* const left = panels + panel * kernels_.panel_elements() +
                                  point * kernels_.point_elements() + c * height;
        TileTarget<float> const to{sums + point * point_sums + panel * height * pitch, pitch,
                                   static_cast<int>(height),
                                   static_cast<int>(registers * lanes<float>), c != 0};
        run_microkernel<float>(height, left, seen + point * point_elements() + c * pitch,
                               PackedRows{pitch}, std::min(block_depth, depth - c), to);
      }
  auto const row = first_panel(group) * height, end = std::min(row + here * height, kernels_.rows);
  for (auto r = row; r < end; ++r)
    tiles_.transform_result(sums + (r - row) * pitch, point_sums, first, count, tensors.result,
                            r * result_entries_, kernels_.rows * result_entries_, tensors.epilogue);
}

void WinogradCorrelation::run(float const* source, float const* kernel, float* result,
                              float* scratch, MapEngine const* epilogue) const {
  Tensors const tensors{source, result, epilogue};
  auto const panel = kernels_.panel_elements(), depth = kernels_.depth;
  if (by_columns()) {
    for_each_task(kernels_.panels(), [&](std::int64_t task, std::int64_t) {
      kernels_.transform(kernel, task, scratch + task * panel);
    });
    float* const slots = scratch + kernels_.panels() * panel;
    for_each_task(blocks_, [&](std::int64_t block, std::int64_t worker) {
      float* const seen = slots + worker * (block_elements() + sums_elements());
      transform_source(source, block, 0, depth, seen);
      for (std::int64_t group = 0; group < groups_; ++group)
        multiply(tensors, scratch + first_panel(group) * panel, group, seen, block,
                 seen + block_elements());
    });
    return;
  }
  auto const parts = ceil_divide(depth, task_channels);
  for_each_task(blocks_ * parts, [&](std::int64_t task, std::int64_t) {
    auto const block = task / parts, channel = task % parts * task_channels;
    transform_source(source, block, channel, std::min(channel + task_channels, depth),
                     scratch + block * block_elements());
  });
  float* const slots = scratch + blocks_ * block_elements();
  for_each_task(groups_, [&](std::int64_t group, std::int64_t worker) {
    float* const panels = slots + worker * (group_ * panel + sums_elements());
    auto const first = first_panel(group), end = first_panel(group + 1);
    for (auto p = first; p < end; ++p) kernels_.transform(kernel, p, panels + (p - first) * panel);
    for (std::int64_t block = 0; block < blocks_; ++block)
      multiply(tensors, panels, group, scratch + block * block_elements(), block,
               panels + group_ * panel);
  });
}

}  // namespace lbann::kernels::host
