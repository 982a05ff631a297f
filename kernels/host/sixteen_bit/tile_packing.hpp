// Matrices of bf16 numbers in the order of tiles.
#pragma once

#include <cstdint>

#include "kernels/host/sixteen_bit/tile_product.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// What is packed: lines [line, line + lines) and [inner, inner + depth) of the inner extent.
struct PackedPart {
  std::int64_t line, lines, inner, depth;

  /// In pairs.
  std::int64_t panels() const { return (lines + 2 * tile_lines - 1) / (2 * tile_lines) * 2; }
  std::int64_t tiles() const { return (depth + tile_depth - 1) / tile_depth; }
  std::int64_t elements() const { return panels() * tiles() * tile_elements; }
};

enum class Side : std::uint8_t { left, right };

/// A factor of a product: lines along its inner extent.
class Factor {
 public:
  virtual ~Factor() = default;
  /// Writes panels one after the other, each a run of tiles as `PanelPair` describes them, with
  /// zeros beyond the part. `buffer`: `SixteenBitTiling::packing_elements`.
  virtual void pack(Side side, PackedPart const& part, std::uint16_t* to,
                    std::uint16_t* buffer) const = 0;
};

/// A factor as rows of numbers, which are its lines, or the other way: lines are along its rows.
class RowsFactor : public Factor {
 public:
  void pack(Side side, PackedPart const& part, std::uint16_t* to,
            std::uint16_t* buffer) const final;

 protected:
  explicit RowsFactor(bool rows_are_lines) : rows_are_lines_(rows_are_lines) {}

 private:
  /// Numbers [begin, begin + count) of row `row`: where they lie, or `buffer` filled with them.
  virtual std::uint16_t const* read(std::int64_t row, std::int64_t begin, std::int64_t count,
                                    std::uint16_t* buffer) const = 0;
  void pack_lines(Side side, PackedPart const& part, std::uint16_t* to,
                  std::uint16_t* buffer) const;
  void pack_inner(Side side, PackedPart const& part, std::uint16_t* to,
                  std::uint16_t* buffer) const;

  bool rows_are_lines_;
};

/// A matrix in memory, of rows `pitch` apart.
class MatrixFactor final : public RowsFactor {
 public:
  MatrixFactor(bool rows_are_lines, std::uint16_t const* data, std::int64_t pitch)
      : RowsFactor(rows_are_lines), data_(data), pitch_(pitch) {}

 private:
  std::uint16_t const* read(std::int64_t row, std::int64_t begin, std::int64_t,
                            std::uint16_t*) const override {
    return data_ + row * pitch_ + begin;
  }

  std::uint16_t const* data_;
  std::int64_t pitch_;
};

/// to[j][i] = from[i][j] of the 16 x 16 pairs of a tile.
void transpose_pairs(std::uint16_t const* from, std::uint16_t* to);

}  // namespace lbann::kernels::host::sixteen_bit
