// Rows copied, interleaved in pairs or transposed.
#include "kernels/host/sixteen_bit/tile_packing.hpp"

#include <algorithm>
#include <cstring>

namespace lbann::kernels::host::sixteen_bit {

namespace {

/// 16 pairs of numbers.
typedef std::uint32_t Pairs __attribute__((vector_size(64)));

Pairs load(std::uint32_t const* from) {
  Pairs pairs;
  std::memcpy(&pairs, from, sizeof pairs);
  return pairs;
}

void store(std::uint32_t* to, Pairs pairs) { std::memcpy(to, &pairs, sizeof pairs); }

/// to[j][i] = from[i][j] of 16 x 16 pairs; rows of `from` are `pitch` pairs apart, those of
/// `to` 16. Pairs are exchanged within quarters of registers first, then quarters.
void transpose_pairs(std::uint32_t const* from, std::int64_t pitch, std::uint32_t* to) {
  Pairs rows[16], other[16];
  for (int i = 0; i < 16; ++i) rows[i] = load(from + i * pitch);
  for (int i = 0; i < 16; i += 2) {
    other[i] = __builtin_shufflevector(rows[i], rows[i + 1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9,
                                       25, 12, 28, 13, 29);
    other[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26,
                                           11, 27, 14, 30, 15, 31);
  }
  for (int i = 0; i < 16; i += 4)
    for (int h = 0; h < 2; ++h) {
      rows[i + 2 * h] = __builtin_shufflevector(other[i + h], other[i + 2 + h], 0, 1, 16, 17, 4, 5,
                                                20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
      rows[i + 2 * h + 1] = __builtin_shufflevector(other[i + h], other[i + 2 + h], 2, 3, 18, 19, 6,
                                                    7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    }
  // Now quarter l of rows[4 g + c] holds column 4 l + c of rows 4 g to 4 g + 3.
  for (int c = 0; c < 4; ++c) {
    auto const a = __builtin_shufflevector(rows[c], rows[4 + c], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18,
                                           19, 20, 21, 22, 23);
    auto const b = __builtin_shufflevector(rows[c], rows[4 + c], 8, 9, 10, 11, 12, 13, 14, 15, 24,
                                           25, 26, 27, 28, 29, 30, 31);
    auto const d = __builtin_shufflevector(rows[8 + c], rows[12 + c], 0, 1, 2, 3, 4, 5, 6, 7, 16,
                                           17, 18, 19, 20, 21, 22, 23);
    auto const e = __builtin_shufflevector(rows[8 + c], rows[12 + c], 8, 9, 10, 11, 12, 13, 14, 15,
                                           24, 25, 26, 27, 28, 29, 30, 31);
    store(to + c * 16,
          __builtin_shufflevector(a, d, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27));
    store(to + (4 + c) * 16, __builtin_shufflevector(a, d, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22,
                                                     23, 28, 29, 30, 31));
    store(to + (8 + c) * 16,
          __builtin_shufflevector(b, e, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27));
    store(to + (12 + c) * 16, __builtin_shufflevector(b, e, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22,
                                                      23, 28, 29, 30, 31));
  }
}

void interleave(std::uint16_t const* first, std::uint16_t const* second, std::uint32_t* to) {
#pragma omp simd
  for (int i = 0; i < tile_lines; ++i)
    to[i] = static_cast<std::uint32_t>(first[i]) | static_cast<std::uint32_t>(second[i]) << 16;
}

/// Rows are lines: of each panel 16 of them, whose pairs lie together.
void pack_lines(Factor const& factor, Side side, PackedPart const& part, std::uint16_t* to,
                std::uint16_t* buffer) {
  auto const tiles = part.tiles();
  auto const pitch = tiles * tile_depth;
  auto* const own = buffer + tile_lines * pitch;
  for (std::int64_t panel = 0; panel < part.panels(); ++panel) {
    for (std::int64_t i = 0; i < tile_lines; ++i) {
      auto const line = panel * tile_lines + i;
      auto* const row = buffer + i * pitch;
      std::int64_t filled = 0;
      if (line < part.lines) {
        auto const* const from = factor.read(part.line + line, part.inner, part.depth, own);
        std::memcpy(row, from, static_cast<std::size_t>(part.depth) * sizeof *from);
        filled = part.depth;
      }
      std::fill(row + filled, row + pitch, std::uint16_t{0});
    }
    for (std::int64_t tile = 0; tile < tiles; ++tile, to += tile_elements) {
      auto const* const from = buffer + tile * tile_depth;
      if (side == Side::right) {
        transpose_pairs(reinterpret_cast<std::uint32_t const*>(from), pitch / 2,
                        reinterpret_cast<std::uint32_t*>(to));
        continue;
      }
      for (std::int64_t i = 0; i < tile_lines; ++i)
        std::memcpy(to + i * tile_depth, from + i * pitch, tile_depth * sizeof *from);
    }
  }
}

/// Rows are those of the inner extent: two of them at a time, of all lines.
void pack_inner(Factor const& factor, Side side, PackedPart const& part, std::uint16_t* to,
                std::uint16_t* buffer) {
  auto const tiles = part.tiles(), panels = part.panels();
  auto const width = panels * tile_lines;
  std::uint16_t* const own[2] = {buffer, buffer + width};
  auto const whole = part.lines == width;
  auto const row = [&](std::int64_t k) -> std::uint16_t const* {
    auto* const mine = own[k % 2];
    if (k >= part.depth) {
      std::fill_n(mine, width, std::uint16_t{0});
      return mine;
    }
    auto const* const from = factor.read(part.inner + k, part.line, part.lines, mine);
    if (whole) return from;
    if (from != mine) std::memcpy(mine, from, static_cast<std::size_t>(part.lines) * sizeof *from);
    std::fill(mine + part.lines, mine + width, std::uint16_t{0});
    return mine;
  };
  for (std::int64_t k = 0; k < tiles * tile_depth; k += 2) {
    auto const *const first = row(k), *const second = row(k + 1);
    auto* const tile = to + k / tile_depth * tile_elements + k % tile_depth * tile_lines;
    for (std::int64_t panel = 0; panel < panels; ++panel)
      interleave(first + panel * tile_lines, second + panel * tile_lines,
                 reinterpret_cast<std::uint32_t*>(tile + panel * tiles * tile_elements));
  }
  if (side == Side::right) return;
  alignas(64) std::uint32_t turned[tile_elements / 2];
  for (std::int64_t tile = 0; tile < panels * tiles; ++tile, to += tile_elements) {
    transpose_pairs(reinterpret_cast<std::uint32_t const*>(to), tile_lines, turned);
    std::memcpy(to, turned, sizeof turned);
  }
}

}  // namespace

void pack(Factor const& factor, bool rows_are_lines, Side side, PackedPart const& part,
          std::uint16_t* to, std::uint16_t* buffer) {
  if (rows_are_lines)
    pack_lines(factor, side, part, to, buffer);
  else
    pack_inner(factor, side, part, to, buffer);
}

}  // namespace lbann::kernels::host::sixteen_bit
