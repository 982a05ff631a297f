// What a convolution and its input gradient have in common: sums over channels and taps.
#pragma once

#include <array>
#include <vector>

#include "kernels/host/convolution/correlation_source.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// Part of the result: all positions of a convolution; in an input gradient the entries of one
/// remainder modulo the stride, which all use the same taps.
struct CorrelationPass {
  std::array<SourceAxis, 3> axes;
  std::vector<std::int64_t> taps;  ///< numbers of the taps in the kernel, in the order of the axes
  std::int64_t begin[3] = {0, 0, 0}, step[3] = {1, 1, 1}, count[3] = {1, 1, 1};  ///< of the result

  std::int64_t positions() const { return count[0] * count[1] * count[2]; }
};

/// The passes of a convolution, a single one, or with `gradient` of its input gradient.
std::vector<CorrelationPass> correlation_passes(WindowGeometry const& geometry, bool gradient);

/// Kernels as a matrix [rows, channels and taps] for each group; of an input gradient, rows are
/// channels of the convolution's input and channels those of its output.
struct CorrelationKernel {
  CorrelationKernel() = default;
  CorrelationKernel(WindowGeometry const& geometry, bool gradient);

  /// Elements of the packed kernel of a pass, all groups.
  std::int64_t packed_elements(CorrelationPass const& pass) const;
  /// Packs the kernel for a pass in panels of `height` rows: to[group][panel][channel][tap][row].
  template <class T>
  void pack(CorrelationPass const& pass, T const* kernel, T* to) const;

  template <class T>
  void pack_panels(CorrelationPass const& pass, T const* kernel, std::int64_t group,
                   std::int64_t first, std::int64_t end, T* to) const;

  bool gradient = false;
  std::int64_t groups = 1, rows = 0, depth = 0;  ///< rows and channels of a group
  std::int64_t all_taps = 1;                     ///< of the kernel
  std::int64_t height = 1;                       ///< of register tiles
};

}  // namespace lbann::kernels::host
