// Rows of one head, copied and multiplied in register tiles: attention and its gradient.
#pragma once

#include <array>

#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/attention_geometry.hpp"
#include "kernels/shapes/division.hpp"

namespace lbann::kernels::host {

/// Rows of one head, `pitch` elements apart.
template <class T>
struct HeadRows {
  T* data;
  std::int64_t pitch, size;  ///< `size` columns belong to the head

  T* row(std::int64_t index) const { return data + index * pitch; }
};

/// Columns of a copy of rows: whole registers.
template <class T>
std::int64_t copied_columns(std::int64_t size) {
  return round_up(size, lanes<T>);
}

/// Scores of a row that are made weights at a time: whole registers of every type.
inline constexpr std::int64_t scores_at_a_time = 16;

/// Copies `factor` times `count` rows from `first` on to rows of whole registers, zeros behind
/// them.
template <class T>
void copy_rows(HeadRows<T const> rows, std::int64_t first, std::int64_t count, T factor, T* to) {
  auto const columns = copied_columns<T>(rows.size);
  for (std::int64_t i = 0; i < count; ++i) {
    T const* const from = rows.row(first + i);
#pragma omp simd
    for (std::int64_t j = 0; j < rows.size; ++j) to[i * columns + j] = factor * from[j];
    std::fill(to + i * columns + rows.size, to + (i + 1) * columns, T(0));
  }
}

/// Packs `count` rows from `first` on as columns of a right factor of inner extent `rows.size`.
template <class T>
void pack_as_columns(HeadRows<T const> rows, std::int64_t first, std::int64_t count, T* to) {
  StridedMatrix<T> const transposed{rows.row(first), 1, rows.pitch};
  for (std::int64_t j = 0; j < count; j += tile_columns<T>)
    pack_right(transposed, 0, rows.size, j, std::min<std::int64_t>(tile_columns<T>, count - j),
               to + j * rows.size);
}

/// to = left x right for `tile_rows` rows and the whole registers that hold `columns` columns, the
/// right factor packed by `pack_as_columns`; rows of `to` are `leading` apart.
template <class T, class Left>
void multiply_by_columns(Left left, T const* packed, std::int64_t depth, std::int64_t columns,
                         T* to, std::int64_t leading) {
  auto const end = round_up(columns, lanes<T>);
  for (std::int64_t j = 0; j < end; j += tile_columns<T>)
    run_microkernel<T, tile_rows>(
        left, packed + j * depth, PackedRows{tile_columns<T>}, depth,
        TileTarget<T>{to + j, leading, tile_rows,
                      static_cast<int>(std::min<std::int64_t>(tile_columns<T>, end - j)), false});
}

/// Rows [first, first + rows) of `to` (+)= left x right for `rows` <= tile_rows rows, the right
/// factor `depth` rows copied by `copy_rows`.
template <class T, class Left>
void multiply_by_rows(Left left, std::int64_t rows, T const* copied, std::int64_t depth,
                      HeadRows<T> to, std::int64_t first, bool add) {
  auto const pitch = copied_columns<T>(to.size);
  for (std::int64_t j = 0; j < to.size; j += tile_columns<T>)
    run_microkernel<T, tile_rows>(
        left, copied + j, PackedRows{pitch}, depth,
        TileTarget<T>{to.row(first) + j, to.pitch, static_cast<int>(rows),
                      static_cast<int>(std::min<std::int64_t>(tile_columns<T>, to.size - j)), add});
}

/// The lanes of each row of a register tile, folded by `combine`.
template <class T, class Combine>
std::array<T, tile_rows> fold_lanes(Vector<T> (&rows)[tile_rows], Combine const& combine) {
  interleave<T, tile_rows>(rows);
  T columns[lanes<T> * tile_rows];
#pragma GCC unroll 8
  for (int r = 0; r < tile_rows; ++r) store_vector(columns + r * lanes<T>, rows[r]);
  std::array<T, tile_rows> results;
  for (int r = 0; r < tile_rows; ++r) results[r] = columns[r];
  for (int c = 1; c < lanes<T>; ++c)
#pragma omp simd
    for (int r = 0; r < tile_rows; ++r)
      results[r] = combine(results[r], columns[c * tile_rows + r]);
  return results;
}

}  // namespace lbann::kernels::host
