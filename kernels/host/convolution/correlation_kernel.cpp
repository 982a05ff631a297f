// Packs kernels in panels of rows.
#include "kernels/host/convolution/correlation_kernel.hpp"

#include <cstring>

#include "kernels/host/prefetch.hpp"
#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Elements that one thread packs sooner than several.
constexpr std::int64_t packed_alone = 32768;
/// Channels whose kernels are prefetched: those of one lie pages apart from those of the next.
constexpr std::int64_t ahead = 8;
/// Panels that a task packs.
constexpr std::int64_t joined_panels = 4;

}  // namespace

CorrelationKernel::CorrelationKernel(WindowGeometry const& g, bool is_gradient)
    : gradient(is_gradient),
      groups(g.groups),
      rows(is_gradient ? g.depth() : g.group_filters()),
      depth(is_gradient ? g.group_filters() : g.depth()),
      all_taps(g.taps()),
      height(tile_height_for(rows)) {}

std::int64_t CorrelationKernel::packed_elements(CorrelationPass const& pass) const {
  return groups * round_up(rows, height) * depth * static_cast<std::int64_t>(pass.taps.size());
}

template <class T>
void CorrelationKernel::pack(CorrelationPass const& pass, T const* kernel, T* to) const {
  auto const panels = ceil_divide(rows, height), bundles = ceil_divide(panels, joined_panels);
  auto const pack_bundle = [&](std::int64_t task, std::int64_t) {
    auto const first = task % bundles * joined_panels;
    pack_panels(pass, kernel, task / bundles, first, std::min(first + joined_panels, panels), to);
  };
  if (packed_elements(pass) < packed_alone)
    for (std::int64_t task = 0; task < groups * bundles; ++task) pack_bundle(task, 0);
  else
    for_each_task(groups * bundles, pack_bundle);
}

/// Panels [first, end) of a group.
template <class T>
void CorrelationKernel::pack_panels(CorrelationPass const& pass, T const* kernel,
                                    std::int64_t group, std::int64_t first, std::int64_t end,
                                    T* to) const {
  auto const panels = ceil_divide(rows, height);
  auto const used = static_cast<std::int64_t>(pass.taps.size()), panel = height * depth * used;
  T const* const from = kernel + group * rows * depth * all_taps;
  to += (group * panels + first) * panel;
  if (!gradient && height == tile_rows && end * height <= rows) {
    for (auto i = first; i < end; ++i, to += panel)
      pack_left<T, tile_rows>({from + i * height * depth * all_taps, depth * all_taps, 1}, 0,
                              height, 0, depth * all_taps, to);
    return;
  }
  // Rows of a gradient lie side by side, so that a few panels are read together.
  auto const row_step = gradient ? all_taps : depth * all_taps;
  auto const depth_step = gradient ? rows * all_taps : all_taps;
  auto const width = std::min(end * height, rows) - first * height;
  for (std::int64_t d = 0; d < depth; ++d) {
    T const* const line = from + first * height * row_step + d * depth_step;
    if (gradient) prefetch_to_l1(line + ahead * depth_step, width * row_step);
    if (gradient && all_taps == 1 && height == tile_rows && width % tile_rows == 0) {
      for (std::int64_t r = 0; r < width; r += tile_rows)
        std::memcpy(to + r / tile_rows * panel + d * tile_rows, line + r, tile_rows * sizeof(T));
      continue;
    }
    for (auto i = first; i < end; ++i) {
      T const* const seen = from + i * height * row_step + d * depth_step;
      T* out = to + (i - first) * panel + d * used * height;
      auto const here = std::min(height, rows - i * height);
      for (auto const tap : pass.taps) {
        for (std::int64_t r = 0; r < here; ++r) out[r] = seen[r * row_step + tap];
        std::fill(out + here, out + height, T(0));
        out += height;
      }
    }
  }
}

template void CorrelationKernel::pack(CorrelationPass const&, float const*, float*) const;
template void CorrelationKernel::pack(CorrelationPass const&, double const*, double*) const;

}  // namespace lbann::kernels::host
