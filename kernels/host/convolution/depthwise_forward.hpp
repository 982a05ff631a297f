// Sums over windows of single channels on a CPU: depthwise convolutions, means of pooling windows.
#pragma once

#include "kernels/host/convolution/channel_columns.hpp"

namespace lbann::kernels::host {

/// result[p] = sum over taps of weights[tap] * source[what p sees through it], of one channel of a
/// sample, a plane. Rows of the source are gone through once for two registers of columns, and each
/// number read is used for all results it belongs to.
template <class T>
class DepthwiseForward {
 public:
  /// With `reversed` the weights are taken from the last one on.
  DepthwiseForward(WindowGeometry const& geometry, bool reversed);

  static bool suits(WindowGeometry const& geometry);

  /// Asks meanwhile for the plane and the results that follow if there are `more`.
  void run(T const* source, T const* weights, T* results, bool more) const;

 private:
  template <int step>
  void run_step(T const* source, T const* weights, T* results, bool more) const;
  template <int step, int ring, int blocks>
  void sweep(T const* source, T const* weights, T* results, bool add, std::int64_t block,
             bool more) const;

  WindowGeometry geometry_;
  ChannelColumns<T> columns_;
  std::int64_t direction_ = 1;  ///< from a weight to the next
};

}  // namespace lbann::kernels::host
