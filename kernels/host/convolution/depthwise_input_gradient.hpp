// What windows over single channels give back to their entries on a CPU.
#pragma once

#include "kernels/host/convolution/channel_columns.hpp"

namespace lbann::kernels::host {

/// dx[i] = sum over taps of weights[tap] * dy[p] whose window has i at the tap, of one channel of a
/// sample: the transpose of `DepthwiseForward`, for windows two entries apart. Rows of dy are gone
/// through once for each register of columns, and each number read is used for all rows of dx it
/// belongs to.
template <class T>
class DepthwiseInputGradient {
 public:
  explicit DepthwiseInputGradient(WindowGeometry const& geometry);

  static bool suits(WindowGeometry const& geometry);

  /// Asks meanwhile for the planes that follow if there are `more`.
  void run(T const* dy, T const* weights, T* dx, bool more) const;

 private:
  /// A tap of the last axis as neighbouring entries, or every other entry, see positions through
  /// it.
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
