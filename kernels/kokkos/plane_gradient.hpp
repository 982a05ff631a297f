// Gradients of depthwise convolutions with respect to their kernels on a CPU.
#pragma once

#include "kernels/kokkos/plane_windows.hpp"

namespace lbann::kernels::kokkos {

/// dkernel[c, tap] = sum over samples and positions of dy[n, c] * x[n, c] seen through the tap.
/// Samples are summed in parts of fixed size, then the parts in order: no bit depends on the number
/// of threads. Planes are summed in T, in registers, what they come to in double.
template <class T>
class PlaneGradient {
 public:
  explicit PlaneGradient(WindowGeometry const& geometry);

  std::int64_t scratch_elements() const;
  void run(T const* x, T const* dy, T* dkernel, T* scratch) const;

 private:
  /// A round of taps from `tap` on.
  void add_taps(T const* plane, T const* dy, std::size_t tap, double* sums) const;

  std::int64_t tasks() const { return parts_ * blocks_; }
  std::int64_t sums() const { return parts_ * channels_ * static_cast<std::int64_t>(taps_.size()); }

  PlaneWindows<T> windows_;
  std::vector<std::int32_t> taps_;  ///< of the windows, the last one again to fill whole rounds
  std::int64_t samples_, channels_, real_taps_;
  std::int64_t block_ = 1, blocks_ = 1;  ///< channels of a task, blocks of all
  std::int64_t parts_ = 1;               ///< of the samples
};

}  // namespace lbann::kernels::kokkos
