// Cuts an input gradient into passes.
#include "kernels/shapes/correlation_pass.hpp"

namespace lbann::kernels {

namespace {

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

}  // namespace lbann::kernels
