// Matrix products on a CPU, cut into tiles whose epilogue runs while they are in the cache.
#pragma once

#include "kernels/host/map/engine.hpp"
#include "kernels/host/products/packing.hpp"

namespace lbann::kernels::host {

/// How a product [rows, inner] x [inner, columns] is cut into tasks and cache blocks.
struct GemmTiling {
  std::int64_t rows = 0, inner = 0, columns = 0;
  std::int64_t tile_height = 0;  ///< rows of a task, whole register tiles
  std::int64_t tile_width = 0;   ///< columns of a task
  std::int64_t chunk = 0;        ///< rows packed at a time, whole tasks
  std::int64_t depth = 0;        ///< inner extent of a block
  bool by_columns = false;       ///< tasks of the same columns follow one another
};

/// `separate`: no output holds the product, see `Gemm::result`.
template <class T>
GemmTiling gemm_tiling(std::int64_t rows, std::int64_t inner, std::int64_t columns, bool separate);

/// Elements of scratch the product needs: packed left panels, then for each worker packed right
/// panels and, with `separate`, a tile of the result.
template <class T>
std::int64_t scratch_elements(GemmTiling const& tiling, bool separate);

/// c = a b, then `epilogue` if there is one, tile by tile. If `result` is null each tile stays in
/// scratch until the epilogue has written the outputs. Sums run over the inner axis in order, in
/// blocks of fixed extent, so that results do not depend on the number of threads.
template <class T>
struct Gemm {
  GemmTiling tiling;
  StridedMatrix<T> a, b;
  T* result = nullptr;
  T* scratch = nullptr;
  MapEngine const* epilogue = nullptr;

  void run() const;
};

}  // namespace lbann::kernels::host
