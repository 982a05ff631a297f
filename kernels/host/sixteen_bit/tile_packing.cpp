// Rows copied, interleaved in pairs or transposed.
#include "kernels/host/sixteen_bit/tile_packing.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/host/sixteen_bit/numbers.hpp"

namespace lbann::kernels::host::sixteen_bit {

static_assert(Numbers::count == tile_depth && tile_depth == 2 * tile_lines);

void transpose_pairs(std::uint16_t const* from, std::uint16_t* to) {
  auto const* const pairs = reinterpret_cast<float const*>(from);
  auto* const turned = reinterpret_cast<float*>(to);
  for (std::int64_t i = 0; i < tile_lines; i += lanes<float>)
    for (std::int64_t j = 0; j < tile_lines; j += lanes<float>)
      transpose_block(pairs + i * tile_lines + j, tile_lines, turned + j * tile_lines + i,
                      tile_lines);
}

void RowsFactor::pack(Side side, PackedPart const& part, std::uint16_t* to,
                      std::uint16_t* buffer) const {
  if (rows_are_lines_)
    pack_lines(side, part, to, buffer);
  else
    pack_inner(side, part, to, buffer);
}

/// Of each panel 16 rows, whose pairs lie together.
void RowsFactor::pack_lines(Side side, PackedPart const& part, std::uint16_t* to,
                            std::uint16_t* buffer) const {
  alignas(64) std::uint16_t block[tile_elements];
  auto const pitch = part.tiles() * tile_depth;
  for (std::int64_t line = 0; line < part.panels() * tile_lines; line += tile_lines) {
    auto const lines = std::clamp<std::int64_t>(part.lines - line, 0, tile_lines);
    std::uint16_t const* from[tile_lines];
    for (std::int64_t i = 0; i < lines; ++i)
      from[i] = read(part.line + line + i, part.inner, part.depth, buffer + i * pitch);
    for (std::int64_t tile = 0; tile < part.tiles(); ++tile, to += tile_elements) {
      auto* const rows = side == Side::left ? to : block;
      auto const k = tile * tile_depth, count = std::min(tile_depth, part.depth - k);
      for (std::int64_t i = 0; i < lines; ++i) {
        auto* const row = rows + i * tile_depth;
        if (count == tile_depth) {
          Numbers(from[i] + k).store(row);
        } else {
          std::memcpy(row, from[i] + k, static_cast<std::size_t>(count) * sizeof *row);
          std::fill(row + count, row + tile_depth, std::uint16_t{0});
        }
      }
      std::fill(rows + lines * tile_depth, rows + tile_elements, std::uint16_t{0});
      if (side == Side::right) transpose_pairs(rows, to);
    }
  }
}

/// Rows are those of the inner extent: two of them at a time, of all lines.
void RowsFactor::pack_inner(Side side, PackedPart const& part, std::uint16_t* to,
                            std::uint16_t* buffer) const {
  auto const panel = part.tiles() * tile_elements;
  auto const width = part.panels() * tile_lines;
  auto const row = [&](std::int64_t k) -> std::uint16_t const* {
    auto* const own = buffer + k % 2 * width;
    if (k >= part.depth) {
      std::fill_n(own, width, std::uint16_t{0});
      return own;
    }
    auto const* const from = read(part.inner + k, part.line, part.lines, own);
    if (part.lines == width) return from;
    if (from != own) std::memcpy(own, from, static_cast<std::size_t>(part.lines) * sizeof *from);
    std::fill(own + part.lines, own + width, std::uint16_t{0});
    return own;
  };
  for (std::int64_t k = 0; k < part.tiles() * tile_depth; k += 2) {
    auto const *const first = row(k), *const second = row(k + 1);
    auto* at = to + k * tile_lines;
    for (std::int64_t line = 0; line < width; line += Numbers::count, at += 2 * panel)
      Numbers::store_pairs(Numbers(first + line), Numbers(second + line), at, at + panel);
  }
  if (side == Side::right) return;
  alignas(64) std::uint16_t turned[tile_elements];
  for (auto* const end = to + part.elements(); to != end; to += tile_elements) {
    transpose_pairs(to, turned);
    std::memcpy(to, turned, sizeof turned);
  }
}

}  // namespace lbann::kernels::host::sixteen_bit
