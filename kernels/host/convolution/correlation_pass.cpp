// Cuts an input gradient into passes and packs kernels for the microkernel.
#include "kernels/host/convolution/correlation_pass.hpp"

#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Elements that one thread packs sooner than several.
constexpr std::int64_t packed_alone = 32768;
/// Panels that a task packs.
constexpr std::int64_t joined_panels = 4;

/// The axis with all taps of a convolution.
SourceAxis forward_axis(WindowAxis const& axis) {
  SourceAxis source{axis.from, axis.to, axis.stride, {}};
  for (std::int64_t t = 0; t < axis.taps; ++t)
    source.shifts.push_back(t * axis.dilation - axis.padding);
  return source;
}

/// Entries begin, begin + stride, ... of an input see position p of the output through tap t where
/// p * stride + t * dilation - padding is theirs.
struct BackwardAxis {
  SourceAxis source;
  std::vector<std::int64_t> taps;
};

BackwardAxis backward_axis(WindowAxis const& axis, std::int64_t begin) {
  BackwardAxis back{{axis.to, (axis.from - begin + axis.stride - 1) / axis.stride, 1, {}}, {}};
  for (std::int64_t t = 0; t < axis.taps; ++t) {
    auto const distance = begin + axis.padding - t * axis.dilation;
    if (distance % axis.stride != 0) continue;
    back.source.shifts.push_back(distance / axis.stride);
    back.taps.push_back(t);
  }
  return back;
}

CorrelationPass forward_pass(WindowGeometry const& g) {
  CorrelationPass pass{{forward_axis(g.axes[0]), forward_axis(g.axes[1]), forward_axis(g.axes[2])},
                       {}};
  for (std::int64_t t = 0; t < g.taps(); ++t) pass.taps.push_back(t);
  for (int i = 0; i < 3; ++i) pass.count[i] = g.axes[i].to;
  return pass;
}

CorrelationPass backward_pass(WindowGeometry const& g, std::array<std::int64_t, 3> begin) {
  BackwardAxis const axes[3] = {backward_axis(g.axes[0], begin[0]),
                                backward_axis(g.axes[1], begin[1]),
                                backward_axis(g.axes[2], begin[2])};
  CorrelationPass pass{{axes[0].source, axes[1].source, axes[2].source}, {}};
  for (auto a : axes[0].taps)
    for (auto b : axes[1].taps)
      for (auto c : axes[2].taps)
        pass.taps.push_back((a * g.axes[1].taps + b) * g.axes[2].taps + c);
  for (std::size_t i = 0; i < 3; ++i) {
    pass.begin[i] = begin[i];
    pass.step[i] = g.axes[i].stride;
    pass.count[i] = axes[i].source.to;
  }
  return pass;
}

}  // namespace

std::vector<CorrelationPass> correlation_passes(WindowGeometry const& g, bool gradient) {
  if (!gradient) return {forward_pass(g)};
  std::vector<CorrelationPass> passes;
  auto begins = [&](int i) { return std::min(g.axes[i].stride, g.axes[i].from); };
  for (std::int64_t z = 0; z < begins(0); ++z)
    for (std::int64_t y = 0; y < begins(1); ++y)
      for (std::int64_t x = 0; x < begins(2); ++x) passes.push_back(backward_pass(g, {z, y, x}));
  return passes;
}

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
  for (std::int64_t d = 0; d < depth; ++d)
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

template void CorrelationKernel::pack(CorrelationPass const&, float const*, float*) const;
template void CorrelationKernel::pack(CorrelationPass const&, double const*, double*) const;

}  // namespace lbann::kernels::host
