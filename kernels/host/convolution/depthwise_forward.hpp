// Depthwise correlation on a CPU: depthwise convolution, and means of pooling windows.
#pragma once

#include "kernels/host/convolution/channel_columns.hpp"

namespace lbann::kernels::host {

/// result[p] = sum over taps of weights[tap] * source[entry that p sees through the tap], for one
/// channel of a sample. For two registers of columns at a time the rows of the source are read
/// once, and each register read is added to all results it contributes to, which are kept in
/// registers.
template <class T>
class DepthwiseForward {
 public:
  /// With `reversed` the weights are used from the last to the first.
  DepthwiseForward(WindowGeometry const& geometry, bool reversed);

  static bool suits(WindowGeometry const& geometry);

  /// Prefetches the next channel and its results if there are `more`.
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
