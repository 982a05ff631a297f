// Matrices copied into the order in which register tiles read them.
#pragma once

#include "kernels/kokkos/tile_product.hpp"

namespace lbann::kernels::kokkos {

/// A matrix at any strides, one of which is 1.
template <class T>
struct Strided {
  T const* data;
  std::int64_t row, column;

  T const* at(std::int64_t i, std::int64_t j) const { return data + i * row + j * column; }
};

/// to[j * to_pitch + i] = from[i * from_pitch + j] for i < rows, j < columns.
template <class T>
inline void transpose(T const* from, std::int64_t from_pitch, std::int64_t rows,
                      std::int64_t columns, T* to, std::int64_t to_pitch) {
  constexpr std::int64_t n = lanes<T>;
  if (rows < n) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) to[j * to_pitch + i] = from[i * from_pitch + j];
    return;
  }
  // The last block begins where it ends with the rows: some of them are written twice.
  for (std::int64_t i = 0; i < rows; i += n) {
    auto const row = std::min(i, rows - n);
    for (std::int64_t j = 0; j < columns; j += n)
      transpose_block(from + row * from_pitch + j, from_pitch, to + j * to_pitch + row, to_pitch,
                      std::min(n, columns - j));
  }
}

/// Up to `height` rows of `a` from row `i`, columns [k, k + depth): to[d * height + r], rows that
/// are not there as zeros.
template <class T, int height>
inline void pack_left(Strided<T> a, std::int64_t i, std::int64_t rows, std::int64_t k,
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

/// Rows [k, k + depth) of `b`, up to `tile_columns` columns from `j`: to[d * tile_columns + c];
/// columns up to the next whole vector as zeros.
template <class T>
inline void pack_right(Strided<T> b, std::int64_t k, std::int64_t depth, std::int64_t j,
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

}  // namespace lbann::kernels::kokkos
