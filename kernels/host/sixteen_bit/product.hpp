// Products of bf16 factors on a CPU.
#pragma once

#include <cstddef>

#include "kernels/host/map/engine.hpp"
#include "kernels/host/sixteen_bit/tile_packing.hpp"
#include "schemas/operators/sixteen_bit_tiling.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// Takes a product, part by part, to where it belongs.
class Target {
 public:
  virtual ~Target() = default;
  /// Rows [row, row + rows) and columns [column, column + columns); each element comes once. Rows
  /// of `product` are `leading` apart. Called by several threads.
  virtual void put(std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns,
                   float const* product, std::int64_t leading) const = 0;
};

/// A matrix in memory, or the operands of an epilogue, which has the shape of the product.
class MatrixTarget final : public Target {
 public:
  /// `first`: number of the row of all rows of the epilogue that row 0 is.
  MatrixTarget(float* result, std::int64_t columns, MapEngine const* epilogue,
               std::int64_t first = 0)
      : result_(result), columns_(columns), epilogue_(epilogue), first_(first) {}
  void put(std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns,
           float const* product, std::int64_t leading) const override;

 private:
  float* result_;
  std::int64_t columns_;
  MapEngine const* epilogue_;
  std::int64_t first_;
};

/// `left` times `right`, in f32. Sums run over the inner extent in an order that follows from the
/// extents, so that results do not depend on the number of threads.
struct Product {
  SixteenBitTiling tiling;
  Factor const &left, &right;
  Target const& target;

  /// On all threads; `scratch`: `tiling.bytes(workers_for(tiling.tasks()))`, aligned to 64.
  void run(std::byte* scratch) const;
  /// On the calling thread, of a tiling `alone`; `scratch`: `tiling.bytes(1)`.
  void run_alone(std::byte* scratch) const;

 private:
  struct Chunk;
  struct Slot;
  Slot slot_of(std::int64_t worker, std::byte* scratch) const;
  Chunk chunk_of(std::int64_t number) const;
  void pack_left(Chunk const& chunk, std::int64_t pair, std::uint16_t* to,
                 std::uint16_t* buffer) const;
  void multiply(Chunk const& chunk, std::int64_t column, std::int64_t end,
                std::uint16_t const* packed_left, float* kept, Slot const& slot) const;
  void run_in_parts(std::byte* scratch) const;
  void add_parts(float* sums) const;
};

}  // namespace lbann::kernels::host::sixteen_bit
