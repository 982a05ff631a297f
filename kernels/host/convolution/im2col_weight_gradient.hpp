// Weight gradients of convolutions on a CPU as matrix products (im2col GEMM).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/host/products/block_prefetch.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// dkernel[o, d, tap] = sum over samples and positions of dy[n, o] * x[n, d] seen through the tap.
/// x is laid out with its channels last, so that the entries a position sees in one row of its
/// window are contiguous and no im2col matrix is stored: for each row of windows dkernel is dy
/// [filters, positions] times a matrix whose rows are read in place; a register tile may be of
/// several such matrices. Sums run over samples and positions in order, those of each of
/// `KernelGradientParts` by themselves, so that results do not depend on the number of threads.
template <class T>
class Im2colWeightGradient {
 public:
  explicit Im2colWeightGradient(WindowGeometry const& geometry);

  /// Whether rows of windows fill the registers; else CorrelationWeightGradient is faster.
  static bool suits(WindowGeometry const& geometry);

  std::int64_t scratch_elements() const;
  void run(T const* x, T const* dy, T* dkernel, T* scratch) const;

 private:
  void cut_bands(std::int64_t chunk);
  std::int64_t seen_by(std::int64_t count) const;
  std::int64_t band_elements(std::int64_t count) const;
  std::int64_t positions_of(std::int64_t band) const;
  void lay_out(T const* sample, std::int64_t band, T* to, std::int64_t part) const;
  void pack(T const* sample, std::int64_t band, T* to, std::int64_t part) const;
  template <class ForEach>
  void sum_part(T const* x, T const* dy, std::int64_t part, T* buffer, T* sums,
                ForEach const& for_each) const;
  void multiply(T const* laid_out, T const* packed, std::int64_t first, std::int64_t count,
                std::int64_t task, T* sums, bool add, BlockPrefetch<T> x,
                BlockPrefetch<T> dy) const;
  BlockPrefetch<T> prefetch_of(T const* tensor, std::int64_t channels, std::int64_t extent,
                               std::int64_t elements, std::int64_t first, std::int64_t count,
                               std::int64_t task) const;
  void reorder(T const* sums, T* dkernel) const;
  std::int64_t kernel_elements() const;
  std::int64_t sum_elements() const;
  std::int64_t buffer_elements() const;

  WindowGeometry geometry_;
  int axis_ = 1;                           ///< that samples are cut along, planes or rows
  std::int64_t line_ = 1;                  ///< positions of one of its planes or rows
  std::int64_t band_ = 1, bands_ = 1;      ///< planes or rows of a band, bands of a sample
  std::int64_t padded_[3] = {1, 1, 1};     ///< extents of a band of x with its padding
  std::int64_t row_ = 0;                   ///< columns of a window's row: its taps' channels
  std::int64_t row_registers_ = 1;         ///< that hold them
  std::int64_t sum_row_ = 0;               ///< sums of a filter: registers of all rows of a window
  std::int64_t tiles_ = 1;                 ///< register tiles that these are
  std::int64_t pitch_ = 0;                 ///< of positions in x laid out
  std::vector<std::int64_t> window_rows_;  ///< offset of each, for position 0
  std::vector<std::int64_t> begins_;       ///< offsets of the positions of a bundle
  std::int64_t bundle_ = 1;                ///< samples whose positions are one inner axis
  std::int64_t chunk_ = 1;                 ///< bands laid out at a time, whole bundles
  std::int64_t part_ = 1, parts_ = 1;      ///< bands that have sums of their own, and how often
  std::int64_t pieces_ = 1;                ///< tasks that lay out a band
  std::int64_t height_ = 1, panels_ = 0;   ///< rows of a register tile, tiles of a group's filters
  std::int64_t task_panels_ = 1;           ///< of one task
  std::int64_t tasks_ = 1;                 ///< that multiply
  std::int64_t laid_out_ = 0;              ///< elements of a band of x
  std::int64_t packed_ = 0;                ///< elements of dy's bundle, for one panel
};

}  // namespace lbann::kernels::host
