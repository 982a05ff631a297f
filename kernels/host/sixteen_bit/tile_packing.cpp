// Rows copied, interleaved in pairs or transposed.
#include "kernels/host/sixteen_bit/tile_packing.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/host/vector.hpp"

namespace lbann::kernels::host::sixteen_bit {

namespace {

/// to[j][i] = from[i][j] of 16 x 16 pairs of numbers, which are moved as a float each; rows of
/// `from` are `pitch` pairs apart, those of `to` 16.
void transpose_pairs(std::uint16_t const* from, std::int64_t pitch, std::uint16_t* to) {
  auto const* const pairs = reinterpret_cast<float const*>(from);
  auto* const turned = reinterpret_cast<float*>(to);
  for (std::int64_t i = 0; i < tile_lines; i += lanes<float>)
    for (std::int64_t j = 0; j < tile_lines; j += lanes<float>)
      transpose_block(pairs + i * pitch + j, pitch, turned + j * tile_lines + i, tile_lines);
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
        transpose_pairs(from, pitch / 2, to);
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
  alignas(64) std::uint16_t turned[tile_elements];
  for (std::int64_t tile = 0; tile < panels * tiles; ++tile, to += tile_elements) {
    transpose_pairs(to, tile_lines, turned);
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
