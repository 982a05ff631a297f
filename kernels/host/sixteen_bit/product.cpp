// Chunks of the inner extent: in each the left factor is packed, then columns are multiplied.
#include "kernels/host/sixteen_bit/product.hpp"

#include <cstring>
#include <utility>

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
  bool first, last;  ///< of those that are added up while they are computed
};

Product::Chunk Product::chunk_of(std::int64_t number) const {
  auto const inner = number * tiling.depth;
  return {inner, std::min(tiling.depth, tiling.inner - inner), number == 0,
          number + 1 == tiling.chunks()};
}

/// What a worker writes: packed columns, rows of the product, what is being packed, and in parts
/// the packed left factor.
struct Product::Slot {
  std::uint16_t* right;
  float* product;
  std::uint16_t *buffer, *left;
};

Product::Slot Product::slot_of(std::int64_t worker, std::byte* scratch) const {
  auto* at = scratch + tiling.shared_bytes() + worker * tiling.slot_bytes();
  auto const take = [&](std::int64_t bytes) { return std::exchange(at, at + bytes); };
  auto* const right_columns = take(tiling.right_bytes());
  auto* const product = take(tiling.product_bytes());
  auto* const buffer = take(tiling.packing_bytes());
  return {numbers(right_columns), sums(product), numbers(buffer), numbers(at)};
}

/// Rows of a pair of panels.
void Product::pack_left(Chunk const& chunk, std::int64_t pair, std::uint16_t* to,
                        std::uint16_t* buffer) const {
  auto const line = pair * pair_lines;
  PackedPart const part{line, std::min(pair_lines, tiling.rows - line), chunk.inner, chunk.depth};
  left.pack(Side::left, part, to + pair * part.elements(), buffer);
}

/// All rows of columns [column, end), which are added to what earlier chunks gave in `kept`
/// [rows, columns] until they go to the target.
void Product::multiply(Chunk const& chunk, std::int64_t column, std::int64_t end,
                       std::uint16_t const* packed_left, float* kept, Slot const& slot) const {
  auto const width = end - column;
  PackedPart const part{column, width, chunk.inner, chunk.depth};
  right.pack(Side::right, part, slot.right, slot.buffer);
  auto const tiles = part.tiles(), panel = tiles * tile_elements;
  TileRegisters const registers;
  for (std::int64_t row = 0; row < tiling.rows; row += pair_lines) {
    auto const rows = std::min(pair_lines, tiling.rows - row);
    auto const* const upper = packed_left + row / pair_lines * 2 * panel;
    for (std::int64_t j = 0; j < width; j += pair_lines) {
      auto const* const first = slot.right + j / tile_lines * panel;
      registers.multiply(
          {{upper, upper + panel}, {first, first + panel}, tiles, slot.product + j, tiling.width});
    }
    for (std::int64_t i = 0; i < rows && !(chunk.first && chunk.last); ++i) {
      float* const here = slot.product + i * tiling.width;
      float* const sum = kept + (row + i) * tiling.columns + column;
      float* const to = chunk.last ? here : sum;
      for (std::int64_t j = 0; j < width; ++j) to[j] = chunk.first ? here[j] : sum[j] + here[j];
    }
    if (chunk.last) target.put(row, rows, column, width, slot.product, tiling.width);
  }
}

void Product::run(std::byte* scratch) const {
  if (tiling.rows == 0 || tiling.columns == 0) return;
  if (tiling.parts > 1) return run_in_parts(scratch);
  auto* const packed = numbers(scratch);
  auto* const kept = sums(scratch + tiling.left_bytes());
  // No more workers pack than there are slots.
  auto const workers = workers_for(tiling.tasks());
  auto const pairs = tiling.rounded_rows() / pair_lines;
  for (std::int64_t number = 0; number < tiling.chunks(); ++number) {
    auto const chunk = chunk_of(number);
    ThreadTeam::for_each_part(workers, [&](std::int64_t worker) {
      auto const end = pairs * (worker + 1) / workers;
      for (auto pair = pairs * worker / workers; pair < end; ++pair)
        pack_left(chunk, pair, packed, slot_of(worker, scratch).buffer);
    });
    for_each_task(tiling.tasks(), [&](std::int64_t task, std::int64_t worker) {
      multiply(chunk, tiling.first_column(task), tiling.first_column(task + 1), packed, kept,
               slot_of(worker, scratch));
    });
  }
}

void Product::run_in_parts(std::byte* scratch) const {
  auto* const parts = sums(scratch);
  for_each_task(tiling.tasks(), [&](std::int64_t task, std::int64_t worker) {
    auto const part = task / tiling.blocks, block = task % tiling.blocks;
    auto const slot = slot_of(worker, scratch);
    auto const begin = tiling.first_chunk(part), end = tiling.first_chunk(part + 1);
    for (auto number = begin; number < end; ++number) {
      auto chunk = chunk_of(number);
      chunk.first = number == begin;
      chunk.last = false;
      for (std::int64_t pair = 0; pair * pair_lines < tiling.rows; ++pair)
        pack_left(chunk, pair, slot.left, slot.buffer);
      auto const last = tiling.first_column(block + 1);
      for (auto column = tiling.first_column(block); column < last; column += tiling.width)
        multiply(chunk, column, std::min(column + tiling.width, last), slot.left,
                 parts + part * tiling.rows * tiling.columns, slot);
    }
  });
  add_parts(parts);
}

/// Adds the sums of all parts to those of the first, which go to the target.
void Product::add_parts(float* parts) const {
  auto const pairs = tiling.rounded_rows() / pair_lines;
  for_each_task(pairs, [&](std::int64_t pair, std::int64_t) {
    auto const row = pair * pair_lines, rows = std::min(pair_lines, tiling.rows - row);
    float* const to = parts + row * tiling.columns;
    for (std::int64_t part = 1; part < tiling.parts; ++part) {
      float const* const from = to + part * tiling.rows * tiling.columns;
      for (std::int64_t i = 0; i < rows * tiling.columns; ++i) to[i] += from[i];
    }
    target.put(row, rows, 0, tiling.columns, to, tiling.columns);
  });
}

void Product::run_alone(std::byte* scratch) const {
  if (tiling.rows == 0) return;
  auto* const packed = numbers(scratch);
  auto* const kept = sums(scratch + tiling.left_bytes());
  auto const slot = slot_of(0, scratch);
  for (std::int64_t number = 0; number < tiling.chunks(); ++number) {
    auto const chunk = chunk_of(number);
    for (std::int64_t pair = 0; pair * pair_lines < tiling.rows; ++pair)
      pack_left(chunk, pair, packed, slot.buffer);
    for (std::int64_t task = 0; task < tiling.tasks(); ++task)
      multiply(chunk, tiling.first_column(task), tiling.first_column(task + 1), packed, kept, slot);
  }
}

}  // namespace lbann::kernels::host::sixteen_bit
