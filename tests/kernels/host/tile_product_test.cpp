// Tiles of bf16 numbers: what each unit of the processor makes of them.
#include "kernels/host/sixteen_bit/tile_product.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "kernels/host/sixteen_bit/tile_packing.hpp"
#include "schemas/functions/bfloat16_bits.hpp"
#include "schemas/operators/sixteen_bit_tiling.hpp"

using namespace lbann;
using namespace lbann::kernels::host::sixteen_bit;

namespace {

/// Numbers [rows, columns], each small and whole so that all sums are exact.
std::vector<std::uint16_t> whole_numbers(std::int64_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<std::uint16_t> numbers(static_cast<std::size_t>(count));
  for (auto& number : numbers)
    number = bfloat16_bits(static_cast<float>(static_cast<int>(generator() % 17) - 8));
  return numbers;
}

}  // namespace

TEST_CASE("tiles: every unit gives the products, from factors stored either way") {
  constexpr std::int64_t lines = 32;
  for (std::int64_t const depth : {1, 2, 31, 32, 33, 100}) {
    auto const a = whole_numbers(lines * depth, 1), b = whole_numbers(lines * depth, 2);
    for (int stored = 0; stored < 4; ++stored) {
      bool const left_lines = (stored & 1) != 0, right_lines = (stored & 2) != 0;
      PackedPart const part{0, lines, 0, depth};
      std::vector<std::uint16_t> left(static_cast<std::size_t>(part.elements())), right = left;
      std::vector<std::uint16_t> buffer(static_cast<std::size_t>(
          SixteenBitTiling::packing_elements(lines, part.tiles() * tile_depth)));
      MatrixFactor(left_lines, a.data(), left_lines ? depth : lines)
          .pack(Side::left, part, left.data(), buffer.data());
      MatrixFactor(right_lines, b.data(), right_lines ? depth : lines)
          .pack(Side::right, part, right.data(), buffer.data());
      auto const at = [&](std::vector<std::uint16_t> const& matrix, bool rows_are_lines,
                          std::int64_t line, std::int64_t k) {
        return bfloat16_value(
            matrix[static_cast<std::size_t>(rows_are_lines ? line * depth + k : k * lines + line)]);
      };
      for (auto const unit : {TileUnit::amx, TileUnit::avx512_bf16, TileUnit::vectors}) {
        if (!has(unit)) continue;
        TileRegisters const registers(unit);
        std::vector<float> sums(lines * lines, -1);
        auto const panel = part.tiles() * tile_elements;
        registers.multiply({{left.data(), left.data() + panel},
                            {right.data(), right.data() + panel},
                            part.tiles(),
                            sums.data(),
                            lines});
        bool equal = true;
        for (std::int64_t i = 0; i < lines; ++i)
          for (std::int64_t j = 0; j < lines; ++j) {
            float sum = 0;
            for (std::int64_t k = 0; k < depth; ++k)
              sum += at(a, left_lines, i, k) * at(b, right_lines, j, k);
            equal = equal && sums[static_cast<std::size_t>(i * lines + j)] == sum;
          }
        CAPTURE(depth);
        CAPTURE(stored);
        CAPTURE(static_cast<int>(unit));
        CHECK(equal);
      }
    }
  }
}
