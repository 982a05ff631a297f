// Kernels of 3 x 3 taps at the points of Winograd's algorithm, packed for the microkernel.
#pragma once

#include <cstdint>

namespace lbann::kernels::host::winograd {

/// A matrix [rows, depth] of kernels: of an input gradient, rows are channels of the convolution's
/// input, and taps are in the opposite order.
struct Kernels {
  Kernels() = default;
  Kernels(std::int64_t result_channels, std::int64_t source_channels, bool gradient);

  std::int64_t panels() const { return (rows + height - 1) / height; }
  /// Elements of a panel, and of one of its points: an odd number of cache lines, so that the
  /// points of a channel do not drive one another out of a cache.
  std::int64_t panel_elements() const;
  std::int64_t point_elements() const;

  /// to[point * point_elements() + channel * height + row], the rows of one panel.
  void transform(float const* kernel, std::int64_t panel, float* to) const;

  std::int64_t rows = 0, depth = 0;
  std::int64_t height = 1;  ///< rows of a panel
  bool gradient = false;
};

}  // namespace lbann::kernels::host::winograd
