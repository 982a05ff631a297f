// Weight gradients of convolutions on a CPU as matrix products (im2col GEMM).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// dkernel[o, d, tap] = sum over samples and positions of dy[n, o] * x[n, d] seen through the tap.
/// x is laid out with its channels last, so that the entries a position sees in one row of its
/// window are contiguous and no im2col matrix is stored: for each row of windows dkernel is dy
/// [filters, positions] times a matrix whose rows are read in place. Sums run over samples and
/// positions in order, so that results do not depend on the number of threads.
template <class T>
class Im2colWeightGradient {
 public:
  explicit Im2colWeightGradient(WindowGeometry const& geometry);

  /// Whether rows of windows fill the registers; else CorrelationWeightGradient is faster.
  static bool suits(WindowGeometry const& geometry);

  std::int64_t scratch_elements() const;
  void run(T const* x, T const* dy, T* dkernel, T* scratch) const;

 private:
  void lay_out(T const* sample, T* to, std::int64_t part) const;
  void pack(T const* sample, T* to, std::int64_t part) const;
  void multiply(T const* laid_out, T const* packed, std::int64_t samples, std::int64_t task,
                T* sums, bool add) const;
  void reorder(T const* sums, T* dkernel) const;

  WindowGeometry geometry_;
  std::int64_t padded_[3] = {1, 1, 1};     ///< extents of x with its padding
  std::int64_t row_ = 0;                   ///< columns of a window's row: its taps' channels
  std::int64_t pitch_ = 0;                 ///< of positions in x laid out
  std::vector<std::int64_t> window_rows_;  ///< offset of each, for position 0
  std::vector<std::int64_t> begins_;       ///< offsets of the positions of a bundle
  std::int64_t bundle_ = 1;                ///< samples whose positions are one inner axis
  std::int64_t chunk_ = 1;                 ///< samples laid out at a time, whole bundles
  std::int64_t parts_ = 1;                 ///< tasks that lay out a sample
  std::int64_t height_ = 1, panels_ = 0;   ///< rows of a register tile, tiles of a group's filters
  std::int64_t task_panels_ = 1;           ///< of one task
  std::int64_t laid_out_ = 0;              ///< elements of a sample of x
  std::int64_t packed_ = 0;                ///< elements of dy's bundle, for one panel
};

}  // namespace lbann::kernels::host
