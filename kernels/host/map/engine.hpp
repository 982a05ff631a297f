// Runs expressions over tensors on a CPU, tile by tile: for map and for epilogues of products.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/host/map/register_map.hpp"

namespace lbann::kernels::host {

/// A map bound to its tensors in host memory. `run`, `run_panel` and `evaluate` work on the calling
/// thread only, may be called by many threads at once, and give the same bits whatever ranges they
/// are called with.
///
/// As an epilogue of a product: operand 0 is the product, in any type the engine loads. The data of
/// its view may be null at binding; each call then passes the address of a tile of it, which may be
/// an output's memory.
///
///     auto engine = MapEngine::bind({op.epilogue, compute, shape, operands, outputs});
///     // inside a parallel region, rows r0..r1 and columns c0..c1 of the product just computed:
///     engine->run_panel(r0, r1, c0, c1, tile, leading_extent_of_tile);
class MapEngine {
 public:
  /// Nothing if the request is beyond the engine, see `assemble`.
  static std::optional<MapEngine> bind(MapRequest const& request);

  std::int64_t elements() const { return code_.elements; }

  /// Elements [begin, end) of the iteration space in C order.
  void run(std::int64_t begin, std::int64_t end) const;
  /// The same with operand 0 taken from `first`, which holds elements [begin, end) alone.
  void run(std::int64_t begin, std::int64_t end, void const* first) const;
  /// The same where other operands are not in the cache, and are prefetched past `end` as well.
  void run_streaming(std::int64_t begin, std::int64_t end, void const* first) const;
  /// Rows and columns of the iteration space taken as a matrix whose columns are its last axis;
  /// element (row, column) of operand 0 is
  /// first[(row - row_begin) * leading + column - column_begin].
  void run_panel(std::int64_t row_begin, std::int64_t row_end, std::int64_t column_begin,
                 std::int64_t column_end, void const* first, std::int64_t leading) const;
  /// Elements [begin, end) of the first output into `values`, in the type computed in; its view
  /// must have that type and is not touched.
  void evaluate(std::int64_t begin, std::int64_t end, void* values) const;

  /// All elements, shared out to all threads; serially where that is faster.
  void run_parallel() const;

  /// Name of the ahead-of-time (AOT) kernel that runs instead of the bytecode; empty if none.
  std::string_view aot_kernel() const;
  MapCode const& code() const { return code_; }
  /// Whether `run` computes in registers (see `RegisterMap`).
  bool runs_in_registers() const { return in_registers_.has_value(); }

 private:
  MapEngine(MapCode const& code, std::optional<RegisterMap> in_registers, std::int64_t columns)
      : code_(code), in_registers_(in_registers), columns_(columns) {}

  MapCode code_;
  std::optional<RegisterMap> in_registers_;  ///< runs instead, where no operand or output is put
  std::int64_t columns_ = 1;                 ///< extent of the last axis before axes were collapsed
};

}  // namespace lbann::kernels::host
