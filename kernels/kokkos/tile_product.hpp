// Products of packed rows with vectors of columns, kept in registers: the heart of matmul and
// convolution on a CPU.
#pragma once

#include <algorithm>

#include "kernels/kokkos/vector.hpp"

namespace lbann::kernels::kokkos {

/// Rows and vectors of columns of a register tile.
inline constexpr int tile_rows = vector_registers == 32 ? 8 : 4;
inline constexpr int tile_vectors = 3;
template <class T>
inline constexpr int tile_columns = tile_vectors * lanes<T>;

/// Rows of the register tiles that waste least of `rows`, the higher of equals.
inline std::int64_t tile_height_for(std::int64_t rows) {
  auto const rounded = [=](std::int64_t height) { return (rows + height - 1) / height * height; };
  std::int64_t best = 1;
  for (std::int64_t height : {2, 4, 6, 8})
    if (height <= tile_rows && rounded(height) <= rounded(best) + rows / 8) best = height;
  return best;
}

/// Where row k of the right factor begins: packed rows one after the other.
struct PackedRows {
  std::int64_t pitch;
  std::int64_t operator()(std::int64_t k) const { return k * pitch; }
};
/// Rows anywhere, by a table.
struct ListedRows {
  std::int64_t const* begins;
  std::int64_t operator()(std::int64_t k) const { return begins[k]; }
};

/// A block of c: element (r, j) at c[r * leading + j]; `rows` and `columns` of it are valid.
template <class T>
struct TileTarget {
  T* c;
  std::int64_t leading;
  int rows, columns;
  bool add;  ///< to what is there
};

/// c (+)= sum over k of a[k * height + r] * b[row(k) + j] for `height` x `vectors` of a tile. Sums
/// run over k in order, each from zero, so that no bit depends on how a product is cut into tiles.
template <class T, int height, int vectors, class Rows>
__attribute__((always_inline)) inline void multiply_tile(T const* a, T const* b, Rows row,
                                                         std::int64_t depth, TileTarget<T> to) {
  using V = Vector<T>;
  constexpr int width = lanes<T>;
  V sums[height][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) sums[r][v] = V{};
  for (std::int64_t k = 0; k < depth; ++k) {
    T const* const from = b + row(k);
    V columns[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) columns[v] = load_vector(from + v * width);
#pragma GCC unroll 8
    for (int r = 0; r < height; ++r) {
      V const factor = broadcast(a[k * height + r]);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v)
        sums[r][v] = multiply_add<T>(factor, columns[v], sums[r][v]);
    }
  }
  if (to.rows == height && to.columns == vectors * width) {
#pragma GCC unroll 8
    for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) {
        T* const c = to.c + r * to.leading + v * width;
        store_vector(c, to.add ? load_vector(c) + sums[r][v] : sums[r][v]);
      }
    return;
  }
  constexpr int pitch = vectors * width;
  T edge[height * pitch];
#pragma GCC unroll 8
  for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) store_vector(edge + r * pitch + v * width, sums[r][v]);
  for (int r = 0; r < height && r < to.rows; ++r) {
    T* const c = to.c + r * to.leading;
    for (int j = 0; j < pitch && j < to.columns; ++j)
      c[j] = to.add ? c[j] + edge[r * pitch + j] : edge[r * pitch + j];
  }
}

/// The same for any number of columns up to `tile_columns`.
template <class T, int height, class Rows>
inline void multiply_tile_of(T const* a, T const* b, Rows row, std::int64_t depth,
                             TileTarget<T> to) {
  constexpr int width = lanes<T>;
  if (to.columns > 2 * width)
    multiply_tile<T, height, 3>(a, b, row, depth, to);
  else if (to.columns > width)
    multiply_tile<T, height, 2>(a, b, row, depth, to);
  else
    multiply_tile<T, height, 1>(a, b, row, depth, to);
}

/// The same for a height given by `tile_height_for`.
template <class T, class Rows>
inline void multiply_tile_of(std::int64_t height, T const* a, T const* b, Rows row,
                             std::int64_t depth, TileTarget<T> to) {
  if constexpr (tile_rows >= 8) {
    if (height == 8) return multiply_tile_of<T, 8>(a, b, row, depth, to);
    if (height == 6) return multiply_tile_of<T, 6>(a, b, row, depth, to);
  }
  if (height == 4) return multiply_tile_of<T, 4>(a, b, row, depth, to);
  if (height == 2) return multiply_tile_of<T, 2>(a, b, row, depth, to);
  multiply_tile_of<T, 1>(a, b, row, depth, to);
}

}  // namespace lbann::kernels::kokkos
