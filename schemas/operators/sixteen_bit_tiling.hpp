// How CPU kernels cut products of 16-bit factors, and the memory that takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "schemas/operators/rules.hpp"

namespace lbann {

/// A product [rows, inner] x [inner, columns], whose inner extent is cut into chunks. Where that is
/// long and the result small, as in gradients of kernels, some chunks are a part: tasks pack both
/// factors, and parts have sums of their own, which are added in the end. Otherwise the left factor
/// of a chunk is packed for all threads, and each task packs some columns of the right one, which
/// stay in a core's caches. Depths and parts do not depend on the number of threads, on which
/// rounding would then depend.
struct SixteenBitTiling {
  /// Rows and columns that are multiplied at once, and what the inner extent is padded to.
  static constexpr std::int64_t pair = 32, step = 32;

  std::int64_t rows, inner, columns;
  std::int64_t depth;   ///< inner extent of a chunk, whole steps
  std::int64_t width;   ///< columns that are packed at once, whole pairs
  std::int64_t parts;   ///< of the inner extent
  std::int64_t blocks;  ///< tasks of each part, which share the columns

  /// For a product that `threads` threads share.
  SixteenBitTiling(std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t threads)
      : SixteenBitTiling(m, k, n, threads, parts_of(m, k, n)) {}
  /// For a product that one thread computes.
  static SixteenBitTiling alone(std::int64_t m, std::int64_t k, std::int64_t n) {
    return {m, k, n, 1, 1};
  }

  std::int64_t chunks() const { return std::max<std::int64_t>((inner + depth - 1) / depth, 1); }
  std::int64_t tasks() const { return parts * blocks; }
  /// The first column of a block; that of block number `blocks` is the end.
  std::int64_t first_column(std::int64_t block) const {
    return std::min(pairs(columns) * block / blocks * pair, columns);
  }
  std::int64_t first_chunk(std::int64_t part) const { return chunks() * part / parts; }

  /// Bytes that all threads share: the packed left factor, unless tasks pack it, and sums of parts
  /// or of earlier chunks.
  std::int64_t shared_bytes() const { return (parts == 1 ? left_bytes() : 0) + sums_bytes(); }
  std::int64_t left_bytes() const { return aligned(rounded_rows() * depth * 2); }
  /// Bytes of each thread: packed columns, 32 rows of the product, what is being packed, rows that
  /// it packs.
  std::int64_t right_bytes() const { return aligned(width * depth * 2); }
  std::int64_t product_bytes() const { return aligned(pair * width * 4); }
  std::int64_t packing_bytes() const { return aligned(packing_elements(width, depth) * 2); }
  std::int64_t slot_bytes() const {
    return right_bytes() + product_bytes() + packing_bytes() + (parts == 1 ? 0 : left_bytes());
  }
  std::int64_t bytes(std::int64_t workers) const { return shared_bytes() + workers * slot_bytes(); }

  std::int64_t rounded_rows() const { return pairs(rows) * pair; }

  /// Elements that rows, or a tile of each line, take while they are packed; whole pairs and steps.
  static constexpr std::int64_t packing_elements(std::int64_t lines, std::int64_t depth) {
    return std::max(std::max(lines, pair) * step, 16 * depth);
  }

 private:
  static constexpr std::int64_t deepest = 1536;

  SixteenBitTiling(std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t threads,
                   std::int64_t number_of_parts)
      : rows(m), inner(k), columns(n), parts(number_of_parts) {
    // Elements: 8 MB that all threads read, half a megabyte that each packs for itself.
    auto const most_left = std::int64_t{1} << (parts == 1 ? 22 : 18);
    constexpr std::int64_t most_right = 3 << 17, widest = 1024;
    auto const rounded = up(std::min(rows, most_left));
    auto const most =
        std::max(std::min(most_left / rounded, deepest) / step, std::int64_t{1}) * step;
    auto const of_part = (inner + parts - 1) / parts;
    auto const cuts = parts == 1 ? 1 : (of_part + most - 1) / most;
    depth = std::min(up((of_part + cuts - 1) / cuts), most);
    width = std::clamp(most_right / depth / pair * pair, pair, widest);
    auto const shares = std::max<std::int64_t>(threads, 1);
    blocks = parts == 1 ? (columns + width * shares - 1) / (width * shares) * shares
                        : (shares + parts - 1) / parts;
    blocks = std::clamp(blocks, std::int64_t{1}, std::max(pairs(columns), std::int64_t{1}));
    width = std::min(width, up((pairs(columns) + blocks - 1) / blocks * pair));
  }

  static std::int64_t parts_of(std::int64_t m, std::int64_t k, std::int64_t n) {
    constexpr std::int64_t most_sums = 1 << 18, most_rows = 1024, most_parts = 8;
    if (m > most_rows || operators::rules::times(m, n) > most_sums) return 1;
    return std::clamp<std::int64_t>(k / deepest, 1, most_parts);
  }

  static std::int64_t pairs(std::int64_t x) { return (x + pair - 1) / pair; }
  static std::int64_t up(std::int64_t x) { return std::max(pairs(x), std::int64_t{1}) * pair; }
  static std::int64_t aligned(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }
  std::int64_t sums_bytes() const {
    auto const copies = parts > 1 ? parts : chunks() > 1 ? 1 : 0;
    return copies == 0 ? 0 : aligned(operators::rules::times(rows, columns) * copies * 4);
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
                                 SixteenBitTiling::alone(m, k, n).bytes(1));
}

/// The same of a convolution or gradient of `groups` groups: one product for each.
inline std::int64_t sixteen_bit_convolution_bytes(std::int64_t groups, std::int64_t m,
                                                  std::int64_t k, std::int64_t n,
                                                  std::int64_t threads) {
  return groups == 1 ? sixteen_bit_bytes(m, k, n, threads)
                     : sixteen_bit_bytes_apart(groups, m, k, n, threads);
}

/// Inner extent of sums over channels and taps: channels come in pairs, the taps of each pair
/// together.
inline std::int64_t sixteen_bit_inner(std::int64_t channels, std::int64_t taps) {
  return operators::rules::times((channels + 1) / 2 * 2, taps);
}

/// An axis of a convolution's input, of which every `stride`th entry uses the same taps.
struct SixteenBitAxis {
  std::int64_t entries, taps, stride, padding, dilation;
};

/// Bytes of scratch for an input gradient of `depth` channels from `filters` (of each group): the
/// most that a product takes, of which there is one for each remainder modulo the strides.
std::int64_t sixteen_bit_input_gradient_bytes(std::int64_t groups, std::int64_t depth,
                                              std::int64_t filters, std::int64_t samples,
                                              std::span<SixteenBitAxis const> axes,
                                              std::int64_t threads);

}  // namespace lbann
