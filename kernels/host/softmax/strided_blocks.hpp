// Interleaved rows, whose entries are `stride` apart, cut into blocks of rows that fit a cache.
#pragma once

#include "kernels/shapes/rows.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

/// `StridedRows` as blocks of neighbouring rows, which depend on the shape alone.
struct StridedBlocks {
  static constexpr int most = 256;
  /// Entries of a row that are added in their own type before sums go on in double.
  static constexpr std::int64_t summed = 32;

  std::int64_t columns = 0, stride = 1, width = 1;
  std::int64_t per_outer = 0, count = 0;  ///< blocks that share all but the inner axes; all blocks

  /// Elements of the largest block that is copied to a buffer, so that entries a power of two apart
  /// do not evict one another from a cache.
  template <class T>
  static constexpr int copied = 65536 / sizeof(T);
  template <class T>
  bool fit() const {
    return columns * width <= copied<T>;
  }

  /// For elements of `bytes`: blocks of at most 64 KiB, but no less than two cache lines wide.
  StridedBlocks(StridedRows const& rows, std::size_t bytes)
      : columns(rows.columns), stride(rows.stride) {
    auto const line = static_cast<std::int64_t>(128 / bytes);
    auto const fits = 512 * line / (columns > 0 ? columns : 1) / line * line;
    width = fits < line ? line : fits;
    if (width > most) width = most;
    if (width > stride) width = stride;
    per_outer = width > 0 ? (stride + width - 1) / width : 0;
    count = stride > 0 ? rows.rows / stride * per_outer : 0;
  }

  struct Block {
    std::int64_t begin;
    int count;
    std::int64_t row;
  };

  /// Offset of the first entry of a block's first row, how many rows there are, and which is the
  /// first.
  Block operator[](std::int64_t index) const {
    std::int64_t const first = index % per_outer * width;
    std::int64_t const rest = stride - first;
    return {index / per_outer * columns * stride + first,
            static_cast<int>(rest < width ? rest : width), index / per_outer * stride + first};
  }
};

}  // namespace lbann::kernels::host
