// Matrices of bf16 numbers in the order of tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/host/sixteen_bit/tile_product.hpp"
#include "kernels/shapes/matrix_products.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// A factor of a product, as rows of numbers.
class Factor {
 public:
  virtual ~Factor() = default;
  /// Numbers [begin, begin + count) of row `row`: where they lie, or `buffer` filled with them.
  virtual std::uint16_t const* read(std::int64_t row, std::int64_t begin, std::int64_t count,
                                    std::uint16_t* buffer) const = 0;
};

/// A matrix in memory, of rows `pitch` apart.
class MatrixFactor final : public Factor {
 public:
  MatrixFactor(std::uint16_t const* data, std::int64_t pitch) : data_(data), pitch_(pitch) {}
  std::uint16_t const* read(std::int64_t row, std::int64_t begin, std::int64_t,
                            std::uint16_t*) const override {
    return data_ + row * pitch_ + begin;
  }

 private:
  std::uint16_t const* data_;
  std::int64_t pitch_;
};

/// What is packed: lines [line, line + lines) and [inner, inner + depth) of the inner extent.
struct PackedPart {
  std::int64_t line, lines, inner, depth;

  std::int64_t panels() const { return (lines + tile_lines - 1) / tile_lines; }
  std::int64_t tiles() const { return (depth + tile_depth - 1) / tile_depth; }
  std::int64_t elements() const { return panels() * tiles() * tile_elements; }
};

enum class Side : std::uint8_t { left, right };

/// Writes panels one after the other, each a run of tiles as `PanelPair` describes them, with zeros
/// beyond the part. `rows_are_lines`: rows of `factor` are lines, along the inner extent; otherwise
/// its rows are those of the inner extent. `buffer`: `packing_buffer` elements.
void pack(Factor const& factor, bool rows_are_lines, Side side, PackedPart const& part,
          std::uint16_t* to, std::uint16_t* buffer);

/// Elements of buffer that `pack` needs.
constexpr std::int64_t packing_buffer(std::int64_t lines, std::int64_t depth) {
  auto const rounded = depth + 2 * tile_depth;
  return (lines + rounded) * 2 + tile_lines * rounded;
}

}  // namespace lbann::kernels::host::sixteen_bit
