// Matrix products on a CPU, cut into tiles whose epilogue runs while they are in the cache.
#pragma once

#include "kernels/host/map/engine.hpp"
#include "kernels/host/products/epilogue_prefetch.hpp"
#include "kernels/host/products/packing.hpp"

namespace lbann::kernels::host {

/// How a product [rows, inner] x [inner, columns] is cut into tasks and cache blocks.
struct GemmTiling {
  std::int64_t rows = 0, inner = 0, columns = 0;
  std::int64_t tile_height = 0;  ///< rows of a task, whole register tiles
  std::int64_t tile_width = 0;   ///< columns of a task
  std::int64_t chunk = 0;        ///< rows that tasks are made of at a time, whole tasks
  std::int64_t depth = 0;        ///< inner extent of a block
  std::int64_t parts = 1;        ///< of the inner axis, summed up apart; see `sums_halves`
  bool keeps_columns = false;    ///< columns stay packed for all tasks of a worker
  bool owns_rows = false;        ///< workers share rows out, and pack theirs; otherwise tasks
  /// Elements of scratch: packed left panels of a chunk; of a worker its right panels, its left
  /// panels and, if no output holds the product, a tile of it.
  std::int64_t shared = 0, packed_columns = 0, packed_rows = 0, tile = 0;

  std::int64_t part() const;     ///< inner extent of a part, as rows are shared out in tasks of 8
  std::int64_t workers() const;  ///< of all tasks
  std::int64_t slot() const;     ///< elements of a worker
  std::int64_t scratch() const;  ///< elements of all
};

/// Whether the sums over the inner axis are those of its halves: of few rows with a large matrix
/// that is stored row by row, as where a layer sends gradients back through its weights. Half of
/// the threads read the half of the rows that they update later, and no other core has copies of
/// these, which would have to be invalidated line by line (docs/performance_notes.md, "Lines that
/// another core has read").
template <class T>
bool sums_halves(StridedMatrix<T> const& b, std::int64_t rows, std::int64_t inner,
                 std::int64_t columns);

/// `separate`: no output holds the product, see `Gemm::result`; `halves`: as `sums_halves` says.
template <class T>
GemmTiling gemm_tiling(std::int64_t rows, std::int64_t inner, std::int64_t columns, bool separate,
                       bool halves = false);

/// c = a b, then `epilogue` if there is one, tile by tile. If `result` is null each tile stays in
/// scratch until the epilogue has written the outputs. Sums run over the inner axis in order, in
/// parts and blocks that follow from its extent, so that results do not depend on the number of
/// threads.
template <class T>
struct Gemm {
  GemmTiling tiling;
  StridedMatrix<T> a, b;
  T* result = nullptr;
  T* scratch = nullptr;
  MapEngine const* epilogue = nullptr;
  EpiloguePrefetch<T> beside_product;

  void run() const;

 private:
  /// A task: a tile of the result, and what of its factors is packed already.
  struct Task {
    std::int64_t row, height, column;
    T* shared_rows;  ///< its left panels, if they are kept for other tasks
    bool rows_packed, columns_packed;
    std::int64_t part = 0;
  };

  void run_owned_rows(std::int64_t first, std::int64_t count) const;
  void run_shared_rows(std::int64_t first, std::int64_t count) const;
  void run_task(Task const& task, T* slot) const;
  /// Adds the second part to the result, and runs the epilogue: threads take columns, which are
  /// rows of the weights of the layer before.
  void add_parts() const;
  /// Sums of the second part, as large as the result.
  T* second_part() const;
};

}  // namespace lbann::kernels::host
