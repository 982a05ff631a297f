// Kernels of convolutions, packed for the microkernel.
#pragma once

#include "kernels/shapes/correlation_pass.hpp"

namespace lbann::kernels::host {

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
