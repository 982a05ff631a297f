// Weight gradients of convolutions on a CPU: blocks of sums in registers, positions in the lanes.
#pragma once

#include "kernels/host/convolution/correlation_source.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// dkernel[o, d, tap] = sum over samples and positions of dy[n, o] * x[n, d] seen through the tap.
/// Samples are summed in parts of fixed size, then the parts in order, so that results do not
/// depend on the number of threads.
template <class T>
class CorrelationWeightGradient {
 public:
  explicit CorrelationWeightGradient(WindowGeometry const& geometry);

  std::int64_t scratch_elements() const;
  void run(T const* x, T const* dy, T* dkernel, T* scratch) const;

 private:
  void sum_block(T const* laid_out, T const* dy, std::int64_t begin, std::int64_t end,
                 std::int64_t filter, std::int64_t tap, T* sums, bool add) const;
  template <int filters, int taps>
  void sum_block_of(T const* laid_out, T const* dy, std::int64_t begin, std::int64_t end,
                    std::int64_t filter, std::int64_t tap, T* sums, bool add) const;

  WindowGeometry geometry_;
  CorrelationSource source_;  ///< of all channels of a sample
  std::int64_t block_filters_ = 1, block_taps_ = 1;
  std::int64_t chunk_ = 0;                    ///< samples laid out at a time
  std::int64_t parts_ = 1;                    ///< groups of samples summed apart
  std::int64_t padded_ = 0;                   ///< positions of a plane in whole registers
  std::int64_t laid_out_ = 0, gradient_ = 0;  ///< elements of a sample
};

}  // namespace lbann::kernels::host
