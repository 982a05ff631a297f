// Input gradient of depthwise convolution on a CPU.
#pragma once

#include "kernels/host/convolution/channel_columns.hpp"

namespace lbann::kernels::host {

/// dx[i] = sum of weights[tap] * dy[p] over positions p that see i through a tap, for one channel
/// of a sample: the transpose of `DepthwiseForward`, for strides of 2. For one register of columns
/// at a time the rows of dy are read once, and each register read is added to all rows of dx it
/// contributes to, which are kept in registers.
template <class T>
class DepthwiseInputGradient {
 public:
  explicit DepthwiseInputGradient(WindowGeometry const& geometry);

  static bool suits(WindowGeometry const& geometry);

  /// Prefetches the next channel if there are `more`.
  void run(T const* dy, T const* weights, T* dx, bool more) const;

 private:
  /// The positions that a register of entries (of one remainder modulo the stride) gets
  /// contributions from through one tap of the last axis.
  struct Seen {
    std::int64_t begin, tap;
    LaneRange<T> range;
  };
  template <int step, int row_step, int ring>
  void sweep(T const* dy, T const* weights, T* dx, bool add, std::int64_t block, bool more) const;

  WindowGeometry geometry_;
  std::int64_t blocks_ = 0;           ///< registers of entries, of each remainder modulo the stride
  std::vector<Seen> seen_;            ///< by blocks and remainders
  std::vector<std::int64_t> begins_;  ///< of those of a block and remainder
};

}  // namespace lbann::kernels::host
