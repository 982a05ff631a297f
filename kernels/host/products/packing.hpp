// Packing: matrices copied into the order in which the microkernel reads them, the left factor in
// panels of rows, the right factor in panels of columns.
#pragma once

#include "kernels/host/prefetch.hpp"
#include "kernels/host/products/microkernel.hpp"
#include "kernels/shapes/matrix_products.hpp"

namespace lbann::kernels::host {

/// to[j * to_pitch + i] = from[i * from_pitch + j] for i < rows, j < columns.
template <class T>
inline void transpose(T const* from, std::int64_t from_pitch, std::int64_t rows,
                      std::int64_t columns, T* to, std::int64_t to_pitch) {
  constexpr std::int64_t n = lanes<T>;
  if (columns == 1 && from_pitch == 1) {
    std::copy_n(from, rows, to);
    return;
  }
  if (4 * rows < n) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) to[j * to_pitch + i] = from[i * from_pitch + j];
    return;
  }
  if (rows < n) {
    for (std::int64_t j = 0; j < columns; j += n)
      transpose_part(from + j, from_pitch, rows, to + j * to_pitch, to_pitch,
                     std::min(n, columns - j));
    return;
  }
  // The last block is shifted back to end with the last row: some rows are written twice.
  for (std::int64_t i = 0; i < rows; i += n) {
    auto const row = std::min(i, rows - n);
    for (std::int64_t j = 0; j < columns; j += n)
      transpose_block(from + row * from_pitch + j, from_pitch, to + j * to_pitch + row, to_pitch,
                      std::min(n, columns - j));
  }
}

/// Packs a panel of `height` rows of the left factor from row `i`, columns [k, k + depth):
/// to[d * height + r]. If only `rows` < `height` rows exist, the others are zeros.
template <class T, int height>
inline void pack_left(StridedMatrix<T> a, std::int64_t i, std::int64_t rows, std::int64_t k,
                      std::int64_t depth, T* to) {
  if (rows == height && a.row == 1) {
    for (std::int64_t d = 0; d < depth; ++d)
      std::memcpy(to + d * height, a.at(i, k + d), height * sizeof(T));
    return;
  }
  std::int64_t done = 0;
  if constexpr (lanes < T >> 1)
    if (rows == height && a.column == 1)
      for (; done + lanes<T> <= depth; done += lanes<T>) {
        Vector<T> columns[height];
#pragma GCC unroll 8
        for (int r = 0; r < height; ++r) columns[r] = load_vector(a.at(i + r, k + done));
        interleave<T, height>(columns);
#pragma GCC unroll 8
        for (int r = 0; r < height; ++r)
          store_vector(to + done * height + r * lanes<T>, columns[r]);
      }
  for (std::int64_t r = 0; r < height; ++r) {
    if (r < rows) {
      T const* const from = a.at(i + r, k);
      for (auto d = done; d < depth; ++d) to[d * height + r] = from[d * a.column];
    } else {
      for (std::int64_t d = 0; d < depth; ++d) to[d * height + r] = T(0);
    }
  }
}

/// Packs `rows` rows of the left factor from row `i`, columns [k, k + depth), as panels of
/// `tile_rows` rows one after another. A transposed factor is read whole cache lines at a time.
template <class T>
inline void pack_left_panels(StridedMatrix<T> a, std::int64_t i, std::int64_t rows, std::int64_t k,
                             std::int64_t depth, T* to) {
  constexpr std::int64_t joined = 4 * tile_rows;
  std::int64_t done = 0;
  while (a.row == 1 && done + tile_rows <= rows) {
    auto const here = std::min(joined, (rows - done) / tile_rows * tile_rows);
    for (std::int64_t d = 0; d < depth; ++d)
      for (std::int64_t r = 0; r < here; r += tile_rows)
        std::memcpy(to + (done + r) * depth + d * tile_rows, a.at(i + done + r, k + d),
                    tile_rows * sizeof(T));
    done += here;
  }
  for (; done < rows; done += tile_rows)
    pack_left<T, tile_rows>(a, i + done, std::min<std::int64_t>(tile_rows, rows - done), k, depth,
                            to + done * depth);
}

/// Packs rows [k, k + depth) of up to `tile_columns` columns of the right factor from column `j`:
/// to[d * tile_columns + c]. Columns up to the next whole register are zeros.
template <class T>
inline void pack_right(StridedMatrix<T> b, std::int64_t k, std::int64_t depth, std::int64_t j,
                       std::int64_t columns, T* to) {
  constexpr std::int64_t width = tile_columns<T>;
  auto const whole = (columns + lanes<T> - 1) / lanes<T> * lanes<T>;
  if (b.column != 1) {
    transpose(b.at(k, j), b.column, columns, depth, to, width);
  } else if (columns == width) {
    for (std::int64_t d = 0; d < depth; ++d)
      std::memcpy(to + d * width, b.at(k + d, j), width * sizeof(T));
  } else {
    for (std::int64_t d = 0; d < depth; ++d) std::copy_n(b.at(k + d, j), columns, to + d * width);
  }
  if (whole != columns)
    for (std::int64_t d = 0; d < depth; ++d)
      std::fill(to + d * width + columns, to + d * width + whole, T(0));
}

/// Packs rows [k, k + depth) of `columns` columns from column `j` of a right factor that is stored
/// row by row, as panels of `tile_columns` columns, `panel` elements apart. Rows are read whole,
/// and prefetched up to row `end`: each may lie in a page of its own, where hardware prefetchers
/// stop.
template <class T>
inline void pack_right_panels(StridedMatrix<T> b, std::int64_t k, std::int64_t depth,
                              std::int64_t end, std::int64_t j, std::int64_t columns,
                              std::int64_t panel, T* to) {
  constexpr std::int64_t width = tile_columns<T>, rows_ahead = 8;
  auto const whole = columns / width * width, rest = columns - whole;
  for (std::int64_t d = 0; d < depth; ++d) {
    T const* const from = b.at(k + d, j);
    T const* const ahead = b.at(std::min(k + d + rows_ahead, end - 1), j);
    T* const row = to + d * width;
    // In turn with copies: a whole row of prefetches at once would delay them.
    for (std::int64_t p = 0; p < whole / width; ++p) {
      prefetch(ahead + p * width, width);
      std::memcpy(row + p * panel, from + p * width, width * sizeof(T));
    }
    if (rest == 0) continue;
    prefetch(ahead + whole, rest);
    T* const zeros = std::copy_n(from + whole, rest, row + whole / width * panel);
    std::fill_n(zeros, (lanes<T> - rest % lanes<T>) % lanes<T>, T(0));
  }
}

/// Height of the lowest register tile that holds `rows` rows, up to `tile_rows`.
constexpr int panel_height(std::int64_t rows) {
  if (rows >= 5 && tile_rows >= 8) return 8;
  return rows >= 3 ? 4 : rows == 2 ? 2 : 1;
}

/// `pack_left` for a height of `panel_height`.
template <class T>
inline void pack_left_panel(int height, StridedMatrix<T> a, std::int64_t i, std::int64_t rows,
                            std::int64_t k, std::int64_t depth, T* to) {
  if constexpr (tile_rows >= 8)
    if (height == 8) return pack_left<T, 8>(a, i, rows, k, depth, to);
  if (height == 4) return pack_left<T, 4>(a, i, rows, k, depth, to);
  if (height == 2) return pack_left<T, 2>(a, i, rows, k, depth, to);
  pack_left<T, 1>(a, i, rows, k, depth, to);
}

/// Packs panel number `panel` of b [rows, columns], `tile_columns` columns, to its place among all
/// panels: panel j begins at to + j * tile_columns * rows.
template <class T>
inline void pack_right_panel(StridedMatrix<T> b, std::int64_t rows, std::int64_t columns,
                             std::int64_t panel, T* to) {
  auto const first = panel * tile_columns<T>;
  pack_right(b, 0, rows, first, std::min<std::int64_t>(tile_columns<T>, columns - first),
             to + first * rows);
}

}  // namespace lbann::kernels::host
