// How CPU kernels cut products of 16-bit factors, and the memory that takes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "schemas/operators/rules.hpp"

namespace lbann {

/// A product [rows, inner] x [inner, columns]. The left factor is packed for all threads, as much
/// of the inner extent as stays in the outer caches; each task packs some columns of the right one,
/// which stay in a core's caches, and multiplies them by all rows.
struct SixteenBitTiling {
  /// Rows and columns that are multiplied at once, and what the inner extent is padded to.
  static constexpr std::int64_t pair = 32, step = 32;

  std::int64_t rows, inner, columns;
  std::int64_t depth;  ///< inner extent of a chunk, whole steps
  std::int64_t width;  ///< columns of a task, whole pairs

  SixteenBitTiling(std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t threads)
      : rows(m), inner(k), columns(n) {
    constexpr std::int64_t most_left = 1 << 22, most_right = 3 << 17, widest = 1024;
    auto const up = [](std::int64_t x) {
      return std::max((x + pair - 1) / pair, std::int64_t{1}) * pair;
    };
    auto const deepest = std::min(most_left / up(std::min(rows, most_left)), most_right / pair);
    depth = std::min(up(inner), std::max(deepest / step, std::int64_t{1}) * step);
    width = std::clamp(most_right / depth / pair * pair, pair, widest);
    width = std::min(width, up((columns + threads - 1) / std::max<std::int64_t>(threads, 1)));
  }

  std::int64_t chunks() const { return std::max<std::int64_t>((inner + depth - 1) / depth, 1); }
  std::int64_t tasks() const { return (columns + width - 1) / width; }

  /// Bytes that all threads share: the packed left factor and, over several chunks, the sums.
  std::int64_t shared_bytes() const {
    auto const sums = chunks() > 1 ? rows * columns * 4 : 0;
    return aligned(rounded_rows() * depth * 2) + aligned(sums);
  }
  /// Bytes of each thread: packed columns, 32 rows of the product, rows that are being packed.
  std::int64_t right_bytes() const { return aligned(width * depth * 2); }
  std::int64_t product_bytes() const { return aligned(pair * width * 4); }
  std::int64_t slot_bytes() const { return right_bytes() + product_bytes() + packing_bytes(); }
  std::int64_t bytes(std::int64_t workers) const { return shared_bytes() + workers * slot_bytes(); }

  std::int64_t rounded_rows() const { return (rows + pair - 1) / pair * pair; }

 private:
  static std::int64_t aligned(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }
  std::int64_t packing_bytes() const {
    auto const rounded = depth + 2 * step;
    return aligned(((width + rounded) * 2 + 16 * rounded) * 2);
  }
};

/// Bytes of scratch for a product that all threads share.
inline std::int64_t sixteen_bit_bytes(std::int64_t m, std::int64_t k, std::int64_t n,
                                      std::int64_t threads) {
  SixteenBitTiling const tiling(m, k, n, threads);
  return tiling.bytes(std::max<std::int64_t>(1, std::min(threads, tiling.tasks())));
}

/// Bytes of scratch for `products` of these extents, each computed by one thread.
inline std::int64_t sixteen_bit_bytes_apart(std::int64_t products, std::int64_t m, std::int64_t k,
                                            std::int64_t n, std::int64_t threads) {
  return operators::rules::times(std::max<std::int64_t>(1, std::min(threads, products)),
                                 SixteenBitTiling(m, k, n, 1).bytes(1));
}

/// The same of a convolution or gradient of `groups` groups: one product for each.
inline std::int64_t sixteen_bit_convolution_bytes(std::int64_t groups, std::int64_t m,
                                                  std::int64_t k, std::int64_t n,
                                                  std::int64_t threads) {
  return groups == 1 ? sixteen_bit_bytes(m, k, n, threads)
                     : sixteen_bit_bytes_apart(groups, m, k, n, threads);
}

}  // namespace lbann
