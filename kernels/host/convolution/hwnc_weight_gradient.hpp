// Gradient of a convolution's kernel for small images on a CPU: samples and channels innermost,
// taps in the padding left out.
#pragma once

#include <vector>

#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// dkernel[f, d, tap] = sum over samples n and positions p where the tap is inside of
/// dy[n, f, p] * x[n, d, entry(p, tap)].
///
/// Im2col multiplies the padding of images, which is most of what windows see where these are no
/// larger. With tiles of channels of x laid out as [entry][sample][channel] (HWNC), and panels of
/// filters of dy likewise, a tap is a sum of products of consecutive rows, those of neighbouring
/// positions and all samples; all taps of a tile go to the kernel's gradient at once, in its order.
template <class T>
class HwncWeightGradient {
 public:
  static bool suits(WindowGeometry const& geometry);

  explicit HwncWeightGradient(WindowGeometry const& geometry);

  std::int64_t scratch_elements() const;
  void run(T const* x, T const* dy, T* dkernel, T* scratch) const;

 private:
  /// `count` positions from `position` on see entries from `entry` on through a tap.
  struct Segment {
    std::int64_t position, entry, count;
  };

  void list_segments();
  void lay_out_channels(T const* x, T* to, std::int64_t tile) const;
  void lay_out_filters(T const* dy, T* to, std::int64_t panel) const;
  void multiply(T const* channels, T const* filters, T* sums, T* dkernel, std::int64_t task) const;

  WindowGeometry geometry_;
  std::int64_t tiles_ = 0, panels_ = 0;  ///< of channels and of filters, of a group
  std::int64_t tile_ = 0, panel_ = 0;    ///< elements of each
  std::int64_t chunk_ = 1;               ///< samples that are multiplied at a time
  std::vector<Segment> segments_;        ///< by tap
  std::vector<std::size_t> begins_;      ///< of each tap in `segments_`, and the end
};

}  // namespace lbann::kernels::host
