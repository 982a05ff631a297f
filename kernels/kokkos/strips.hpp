// Rows of a left factor in strips of register tiles, the last of which may be lower.
#pragma once

#include "kernels/kokkos/packing.hpp"

namespace lbann::kernels::kokkos {

/// Height of the lowest register tile that holds `rows` rows, up to `tile_rows`.
constexpr int strip_height(std::int64_t rows) {
  if (rows >= 5 && tile_rows >= 8) return 8;
  return rows >= 3 ? 4 : rows == 2 ? 2 : 1;
}

/// `pack_left` for a height of `strip_height`.
template <class T>
inline void pack_strip(int height, Strided<T> a, std::int64_t i, std::int64_t rows, std::int64_t k,
                       std::int64_t depth, T* to) {
  if constexpr (tile_rows >= 8)
    if (height == 8) return pack_left<T, 8>(a, i, rows, k, depth, to);
  if (height == 4) return pack_left<T, 4>(a, i, rows, k, depth, to);
  if (height == 2) return pack_left<T, 2>(a, i, rows, k, depth, to);
  pack_left<T, 1>(a, i, rows, k, depth, to);
}

/// Packs panel number `panel` of b [rows, columns], `tile_columns` columns of it, to its place
/// among all of them: panel j begins at to + j * tile_columns * rows.
template <class T>
inline void pack_panel(Strided<T> b, std::int64_t rows, std::int64_t columns, std::int64_t panel,
                       T* to) {
  auto const first = panel * tile_columns<T>;
  pack_right(b, 0, rows, first, std::min<std::int64_t>(tile_columns<T>, columns - first),
             to + first * rows);
}

}  // namespace lbann::kernels::kokkos
