// Weight gradient of depthwise convolution on a CPU.
#pragma once

#include "kernels/host/convolution/channel_columns.hpp"

namespace lbann::kernels::host {

/// dkernel[c, tap] = sum over samples and positions of dy[n, c] * x[n, c] seen through the tap.
/// Samples are summed in parts of fixed size, then the parts in order, so that results do not
/// depend on the number of threads. A few hundred products are added in T before sums go on in
/// double.
template <class T>
class DepthwiseWeightGradient {
 public:
  explicit DepthwiseWeightGradient(WindowGeometry const& geometry);

  static bool suits(WindowGeometry const& geometry);

  std::int64_t scratch_elements() const;
  void run(T const* x, T const* dy, T* dkernel, T* scratch) const;

 private:
  /// Distances in elements to the channels that the thread takes next, for prefetching.
  struct Ahead {
    std::int64_t x, dy;
  };
  void add_plane(T const* x, T const* dy, Ahead ahead, double* sums) const;
  template <int step, int row_step, int ring, int taps>
  void add_columns(T const* x, T const* dy, Ahead ahead, std::int64_t tap, double* sums) const;
  template <int step, int row_step, int ring, int taps, int blocks>
  void sweep(T const* x, T const* dy, Ahead ahead, std::int64_t tap, std::int64_t block,
             Vector<T> (&parts)[row_step][ring][taps]) const;

  std::int64_t sums() const { return parts_ * geometry_.channels * geometry_.taps(); }

  WindowGeometry geometry_;
  ChannelColumns<T> columns_;
  std::int64_t at_once_ = 1, blocks_ = 1;  ///< channels of a task, blocks of channels
  std::int64_t parts_ = 1;                 ///< of the samples
};

}  // namespace lbann::kernels::host
