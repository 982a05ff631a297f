// Chunks of the inner extent; in each the left factor is packed, then tasks multiply columns.
#include "kernels/host/sixteen_bit/product.hpp"

#include <cstring>

#include "kernels/tasks.hpp"

namespace lbann::kernels::host::sixteen_bit {

namespace {

constexpr auto pair_lines = SixteenBitTiling::pair;

std::uint16_t* numbers(std::byte* at) { return reinterpret_cast<std::uint16_t*>(at); }
float* sums(std::byte* at) { return reinterpret_cast<float*>(at); }

}  // namespace

void MatrixTarget::put(std::int64_t row, std::int64_t rows, std::int64_t column,
                       std::int64_t columns, float const* product, std::int64_t leading) const {
  if (epilogue_ != nullptr)
    return epilogue_->run_panel(first_ + row, first_ + row + rows, column, column + columns,
                                product, leading);
  for (std::int64_t i = 0; i < rows; ++i)
    std::memcpy(result_ + (row + i) * columns_ + column, product + i * leading,
                static_cast<std::size_t>(columns) * sizeof(float));
}

struct Product::Chunk {
  std::int64_t inner, depth;
  bool first, last;
  std::uint16_t* left;  ///< packed
  float* sums;          ///< of earlier chunks
};

Product::Chunk Product::chunk_of(std::int64_t number, std::byte* scratch) const {
  auto const inner = number * tiling.depth;
  auto const left_bytes = tiling.rounded_rows() * tiling.depth * 2;
  return {inner,
          std::min(tiling.depth, tiling.inner - inner),
          number == 0,
          number + 1 == tiling.chunks(),
          numbers(scratch),
          sums(scratch + (left_bytes + 63) / 64 * 64)};
}

void Product::pack_left(Chunk const& chunk, std::int64_t pair, std::byte* slot) const {
  auto const line = pair * pair_lines;
  PackedPart const part{line, std::min(pair_lines, tiling.rows - line), chunk.inner, chunk.depth};
  auto const panel = part.tiles() * tile_elements;
  auto* const to = chunk.left + pair * 2 * panel;
  pack(left, left_rows_are_lines, Side::left, part, to,
       numbers(slot + tiling.right_bytes() + tiling.product_bytes()));
  // Rows come in pairs of panels.
  std::fill(to + part.panels() * panel, to + 2 * panel, std::uint16_t{0});
}

void Product::multiply(Chunk const& chunk, std::int64_t task, std::byte* slot) const {
  auto const column = task * tiling.width;
  auto const width = std::min(tiling.width, tiling.columns - column);
  PackedPart const part{column, width, chunk.inner, chunk.depth};
  auto* const packed = numbers(slot);
  auto* const product = sums(slot + tiling.right_bytes());
  pack(right, right_rows_are_lines, Side::right, part, packed,
       numbers(slot + tiling.right_bytes() + tiling.product_bytes()));
  auto const tiles = part.tiles(), panel = tiles * tile_elements;
  if (part.panels() % 2 != 0) std::fill_n(packed + part.panels() * panel, panel, std::uint16_t{0});
  TileRegisters const registers;
  for (std::int64_t row = 0; row < tiling.rows; row += pair_lines) {
    auto const rows = std::min(pair_lines, tiling.rows - row);
    auto const* const upper = chunk.left + row / pair_lines * 2 * panel;
    for (std::int64_t j = 0; j < width; j += pair_lines) {
      auto const* const first = packed + j / tile_lines * panel;
      registers.multiply(
          {{upper, upper + panel}, {first, first + panel}, tiles, product + j, tiling.width});
    }
    for (std::int64_t i = 0; i < rows && !(chunk.first && chunk.last); ++i) {
      float* const here = product + i * tiling.width;
      float* const kept = chunk.sums + (row + i) * tiling.columns + column;
      for (std::int64_t j = 0; j < width; ++j) {
        float const sum = chunk.first ? here[j] : kept[j] + here[j];
        (chunk.last ? here : kept)[j] = sum;
      }
    }
    if (chunk.last) target.put(row, rows, column, width, product, tiling.width);
  }
}

void Product::run(std::byte* scratch) const {
  if (tiling.rows == 0 || tiling.columns == 0) return;
  auto const slot = [&](std::int64_t worker) {
    return scratch + tiling.shared_bytes() + worker * tiling.slot_bytes();
  };
  // No more workers pack than there are slots.
  auto const workers = workers_for(tiling.tasks());
  auto const pairs = tiling.rounded_rows() / pair_lines;
  for (std::int64_t number = 0; number < tiling.chunks(); ++number) {
    auto const chunk = chunk_of(number, scratch);
    ThreadTeam::for_each_part(workers, [&](std::int64_t worker) {
      auto const end = pairs * (worker + 1) / workers;
      for (auto pair = pairs * worker / workers; pair < end; ++pair)
        pack_left(chunk, pair, slot(worker));
    });
    for_each_task(tiling.tasks(), [&](std::int64_t task, std::int64_t worker) {
      multiply(chunk, task, slot(worker));
    });
  }
}

void Product::run_alone(std::byte* scratch) const {
  if (tiling.rows == 0) return;
  auto* const slot = scratch + tiling.shared_bytes();
  for (std::int64_t number = 0; number < tiling.chunks(); ++number) {
    auto const chunk = chunk_of(number, scratch);
    for (std::int64_t pair = 0; pair * pair_lines < tiling.rows; ++pair)
      pack_left(chunk, pair, slot);
    for (std::int64_t task = 0; task < tiling.tasks(); ++task) multiply(chunk, task, slot);
  }
}

}  // namespace lbann::kernels::host::sixteen_bit
