// A pass of a convolution of many channels, or of its input gradient, on a CPU: the product of a
// packed kernel and blocks of an im2col matrix, which are packed as they are multiplied.
#pragma once

#include "kernels/host/convolution/correlation_kernel.hpp"
#include "kernels/host/convolution/im2col_columns.hpp"
#include "kernels/host/map/engine.hpp"
#include "kernels/host/products/block_prefetch.hpp"

namespace lbann::kernels::host {

/// result[n, g, m, p] = sum over channels d and taps of
/// kernel(g, m, d, tap) * source[n, g, d, entry(p, tap)], for the positions p of a pass.
///
/// Columns of the product are positions of all samples, so that register tiles are full however
/// small images are, and a block of columns stays in the second-level cache for all rows that are
/// multiplied by it, whatever an image's size.
template <class T>
class Im2colPass {
 public:
  /// A pass, with taps, of a convolution or with `gradient` of its input gradient: dx from dy.
  Im2colPass(WindowGeometry const& geometry, bool gradient, CorrelationPass pass);

  std::int64_t packed_elements() const { return packed_; }  ///< of the kernel
  /// Elements of scratch of a worker. With `separate` results lie there until the epilogue has run.
  std::int64_t slot_elements(bool separate) const;
  std::int64_t tasks() const;

  void pack(T const* kernel, T* packed) const { kernel_.pack(pass_, kernel, packed); }
  /// Writes a part of the pass's positions of `result`. If it is null, they stay in `slot` for
  /// `epilogue`; an epilogue needs a pass of all positions.
  void run(std::int64_t number, T const* source, T const* packed, T* result, T* slot,
           MapEngine const* epilogue) const;

 private:
  /// Registers of columns [first, end), rows [row, row_end) of a group, from a sample on.
  struct Task {
    std::int64_t group, sample, first, end, row, row_end;
  };

  /// Where rows of a task lie, `leading` elements apart, and how much of each exists.
  struct Rows {
    T* begin;
    std::int64_t leading, columns;
  };

  Task task_of(std::int64_t number) const;
  T const* channels_of(Task const& task, T const* source) const;
  BlockPrefetch<T> prefetch_of(Task const& task, T const* source, std::int64_t first,
                               std::int64_t portions) const;
  void multiply(Task const& task, Task const& next, T const* source, T const* packed, T* columns,
                Rows to) const;
  void finish(Task const& task, T const* sums, T* result, MapEngine const* epilogue) const;

  WindowGeometry geometry_;
  CorrelationKernel kernel_;
  CorrelationPass pass_;
  Im2colColumns<T> columns_;
  bool whole_ = true;                    ///< positions of the pass are all of the result
  std::int64_t extents_[3] = {1, 1, 1};  ///< of the result
  std::int64_t taps_ = 1, source_entries_ = 0, positions_ = 0;  ///< of a channel, in the pass
  std::int64_t channels_ = 1;                                   ///< multiplied at a time
  std::int64_t packed_ = 0, tile_ = 0;           ///< elements: the kernel, a tile of columns
  std::int64_t blocks_ = 1, widest_ = 1;         ///< of columns, of a sample or of all; registers
  std::int64_t task_rows_ = 1, row_blocks_ = 1;  ///< of a group
};

}  // namespace lbann::kernels::host
