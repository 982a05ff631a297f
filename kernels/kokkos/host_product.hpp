// Matrix products on a CPU, cut into tiles that are finished while they are hot.
#pragma once

#include "kernels/kokkos/map_engine.hpp"
#include "kernels/kokkos/packing.hpp"

namespace lbann::kernels::kokkos {

/// How a product [rows, inner] x [inner, columns] is cut; follows from the extents alone.
struct ProductTiling {
  std::int64_t rows = 0, inner = 0, columns = 0;
  std::int64_t tile_height = 0;  ///< rows of a task, whole register tiles
  std::int64_t tile_width = 0;   ///< columns of a task
  std::int64_t chunk = 0;        ///< rows packed at a time, whole tasks
  std::int64_t depth = 0;        ///< inner extent of a block
};

template <class T>
ProductTiling tiling_for(std::int64_t rows, std::int64_t inner, std::int64_t columns);

/// Elements of scratch the product uses at most: packed rows, then for each worker packed columns
/// and, with `separate`, a tile of the result.
template <class T>
std::int64_t scratch_elements(ProductTiling const& tiling, bool separate);

/// c = a b with `epilogue` (or none) over all tiles. Without `result` each tile lies in scratch
/// until the epilogue has run. Sums run over the inner axis in order within blocks of fixed
/// extent, so that no bit depends on the number of threads.
template <class T>
struct HostProduct {
  ProductTiling tiling;
  Strided<T> a, b;
  T* result = nullptr;
  T* scratch = nullptr;
  MapEngine const* epilogue = nullptr;

  void run() const;
};

}  // namespace lbann::kernels::kokkos
