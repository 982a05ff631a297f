// The microkernel of matrix products: a tile of the result kept in vector registers. Matmul,
// convolution, gru and lstm are loops around it.
#pragma once

#include <algorithm>

#include "kernels/host/vector.hpp"

namespace lbann::kernels::host {

/// Extents of a register tile: rows, and registers of columns.
inline constexpr int tile_rows = vector_registers == 32 ? 8 : 4;
inline constexpr int tile_vectors = 3;
template <class T>
inline constexpr int tile_columns = tile_vectors * lanes<T>;

/// Whether a microkernel prefetches what is read after it, and packs large factors, between its
/// multiply-adds. With 32 registers a step of a tile has 24 of these, which hide that; with 16 it
/// has 12, and took longer than waiting for memory does (docs/performance_notes.md, "Products").
inline constexpr bool moves_beside_products = vector_registers == 32;

/// Height of the register tiles that `rows` rows take the fewest cycles in. A step along the inner
/// axis takes half a cycle for each multiply-add, at least the four of their latency, and about
/// half a cycle more for loads.
inline std::int64_t tile_height_for(std::int64_t rows) {
  auto const half_cycles = [=](std::int64_t height) {
    return (rows + height - 1) / height * (std::max<std::int64_t>(height * tile_vectors, 8) + 1);
  };
  std::int64_t best = 1;
  for (std::int64_t height : {2, 3, 4, 6, 8})
    if (height <= tile_rows && half_cycles(height) < half_cycles(best)) best = height;
  return best;
}

/// Column k of the left factor in a register tile: packed, all rows of the tile one after another.
template <class T, int height>
struct PackedLeft {
  T const* a;
  T operator()(std::int64_t k, int r) const { return a[k * height + r]; }
};
/// Rows of the left factor where they lie, `step` elements apart.
template <class T>
struct StridedLeft {
  T const* thirds[3];  ///< every third row, so that few addresses stay in registers
  std::int64_t step;

  StridedLeft(T const* a, std::int64_t row_step)
      : thirds{a, a + 3 * row_step, a + 6 * row_step}, step(row_step) {}
  T operator()(std::int64_t k, int r) const { return thirds[r / 3][r % 3 * step + k]; }
};
/// Columns of a matrix where they lie, its rows `pitch` elements apart: a transposed left factor.
template <class T>
struct TransposedLeft {
  T const* a;
  std::int64_t pitch;
  T operator()(std::int64_t k, int r) const { return a[k * pitch + r]; }
};

/// Registers of a row of the right factor that lie side by side.
struct AdjacentRegisters {
  static constexpr std::int64_t register_begin(int v, int width) { return v * width; }
};

/// Where row k of the right factor begins: rows at equal distances, as packed.
struct PackedRows : AdjacentRegisters {
  static constexpr bool packs = false;
  std::int64_t pitch;
  explicit PackedRows(std::int64_t row_pitch) : pitch(row_pitch) {}
  std::int64_t operator()(std::int64_t k) const { return k * pitch; }
};
/// Rows anywhere, by a table of offsets: windows of a convolution read in place.
struct ListedRows : AdjacentRegisters {
  static constexpr bool packs = false;
  std::int64_t const* begins;
  explicit ListedRows(std::int64_t const* table) : begins(table) {}
  std::int64_t operator()(std::int64_t k) const { return begins[k]; }
};
/// The same with registers anywhere behind a row's begin: several rows of a window.
struct ListedRegisters {
  static constexpr bool packs = false;
  std::int64_t const* begins;
  std::int64_t registers[tile_vectors];
  std::int64_t operator()(std::int64_t k) const { return begins[k]; }
  std::int64_t register_begin(int v, int) const { return registers[v]; }
};
/// Rows of a matrix where they lie, whole registers of columns, packed to `to` on the way.
template <class T>
struct PackingRows : AdjacentRegisters {
  static constexpr bool packs = true;
  std::int64_t pitch;
  T* to;
  PackingRows(std::int64_t row_pitch, T* target) : pitch(row_pitch), to(target) {}
  std::int64_t operator()(std::int64_t k) const { return k * pitch; }
};

/// The block of c that a tile is written to: element (r, j) at c[r * leading + j]; only `rows` and
/// `columns` of it exist.
template <class T>
struct TileTarget {
  T* c;
  std::int64_t leading;
  int rows, columns;
  bool add;  ///< add to what is there instead of overwriting it
};

/// c (+)= sum over k of a(k, r) * b[row(k) + j] for a tile of `height` rows and `vectors`
/// registers of columns. Sums run over k in order, each from zero, so that results do not depend on
/// how a product is cut into tiles. Rows with a function `prefetch` call it in each step.
template <class T, int height, int vectors, class Left, class Rows>
__attribute__((always_inline)) inline void microkernel(Left a, T const* b, Rows row,
                                                       std::int64_t depth,
                                                       TileTarget<T> const& to) {
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
    for (int v = 0; v < vectors; ++v)
      columns[v] = in_register(load_vector(from + row.register_begin(v, width)));
    if constexpr (Rows::packs)
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v)
        store_vector(row.to + k * tile_columns<T> + v * width, columns[v]);
    if constexpr (requires { row.prefetch(k); }) row.prefetch(k);
#pragma GCC unroll 8
    for (int r = 0; r < height; ++r) {
      V const factor = broadcast(a(k, r));
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

/// The same for any number of columns up to `tile_columns`. By references: a copy for the call
/// would load in one piece what was just stored in several, which waits until stores of the tile
/// before have left the processor.
template <class T, int height, class Left, class Rows>
inline void run_microkernel(Left const& a, T const* b, Rows const& row, std::int64_t depth,
                            TileTarget<T> const& to) {
  constexpr int width = lanes<T>;
  if (to.columns > 2 * width)
    microkernel<T, height, 3>(a, b, row, depth, to);
  else if (to.columns > width)
    microkernel<T, height, 2>(a, b, row, depth, to);
  else
    microkernel<T, height, 1>(a, b, row, depth, to);
}

/// The same with packed rows.
template <class T, int height, class Rows>
inline void run_microkernel(T const* a, T const* b, Rows const& row, std::int64_t depth,
                            TileTarget<T> const& to) {
  run_microkernel<T, height>(PackedLeft<T, height>{a}, b, row, depth, to);
}

/// The same for a height given by `tile_height_for`.
template <class T, class Rows>
inline void run_microkernel(std::int64_t height, T const* a, T const* b, Rows const& row,
                            std::int64_t depth, TileTarget<T> const& to) {
  if constexpr (tile_rows >= 8) {
    if (height == 8) return run_microkernel<T, 8>(a, b, row, depth, to);
    if (height == 6) return run_microkernel<T, 6>(a, b, row, depth, to);
  }
  if (height == 4) return run_microkernel<T, 4>(a, b, row, depth, to);
  if (height == 3) return run_microkernel<T, 3>(a, b, row, depth, to);
  if (height == 2) return run_microkernel<T, 2>(a, b, row, depth, to);
  run_microkernel<T, 1>(a, b, row, depth, to);
}

}  // namespace lbann::kernels::host
