// A matrix computed in blocks of rows, each finished by its epilogue before the next one begins:
// for libraries and devices, which compute whole matrices.
#pragma once

#include <algorithm>

#include "kernels/map/epilogue.hpp"

namespace lbann::kernels {

/// Rows [row, row + rows) of a product, to be computed at `product`, contiguous.
struct RowBlock {
  std::int64_t row = 0, rows = 0;
  void* product = nullptr;
};

/// The blocks of a call of matmul or scatter with `epilogue`. The product lies in an output that
/// can hold it, in one block, or in scratch, as many rows at a time as fit. `Engine` runs
/// epilogues: `bind`, `run_parallel`.
template <class Engine>
class RowBlocks {
 public:
  /// For a call that `fits`.
  RowBlocks(Expression const& epilogue, Call const& call, std::size_t element_bytes) {
    auto const type = type_of_product(call);
    auto const all = rows_of(call);
    columns_ = columns_of(call);
    auto const holder = holder_of_product(call, type);
    auto const step = rows_at_once(call, element_bytes);
    for (std::int64_t row = 0; row < all; row += step) {
      auto const rows = std::min(step, all - row);
      // An output that holds the product holds it whole: there is one block, from row 0 on.
      blocks_.push_back(
          {row, rows,
           holder ? call.outputs[*holder].data : static_cast<void*>(call.scratch.data())});
      if (epilogue.empty()) continue;
      std::vector<View> inputs, outputs;
      for (std::size_t i = 0; i < call.inputs.size(); ++i)
        inputs.push_back(i < 2 ? call.inputs[i] : narrowed(call.inputs[i], row, rows, all));
      for (auto const& view : call.outputs) outputs.push_back(narrowed(view, row, rows, all));
      Call part = call;
      part.inputs = inputs;
      part.outputs = outputs;
      epilogues_.push_back(*bind_epilogue<Engine>(epilogue, part, type, blocks_.back().product));
    }
  }

  static bool fits(Call const& call, std::size_t element_bytes) {
    return rows_of(call) == 0 || rows_at_once(call, element_bytes) > 0;
  }

  std::int64_t columns() const { return columns_; }

  std::vector<RowBlock> const& blocks() const { return blocks_; }

  /// Calls multiply(block) for each block, then runs its epilogue.
  template <class Multiply>
  void for_each(Multiply const& multiply) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      multiply(blocks_[b]);
      if (!epilogues_.empty()) epilogues_[b].run_parallel();
    }
  }

 private:
  static std::int64_t rows_of(Call const& call) { return call.outputs[0].extents[0]; }
  static std::int64_t columns_of(Call const& call) { return call.outputs[0].extents[1]; }

  static std::int64_t rows_at_once(Call const& call, std::size_t element_bytes) {
    if (holder_of_product(call, type_of_product(call))) return rows_of(call);
    auto const row =
        std::max<std::int64_t>(columns_of(call), 1) * static_cast<std::int64_t>(element_bytes);
    return static_cast<std::int64_t>(call.scratch.size()) / row;
  }

  /// `view` for `rows` rows from `row` of `all`, if it has rows.
  static View narrowed(View view, std::int64_t row, std::int64_t rows, std::int64_t all) {
    if (view.rank != 2 || view.extents[0] != all || all == 1) return view;
    view.data = view.as<std::byte>() +
                row * view.extents[1] * static_cast<std::int64_t>(bytes_of(view.type));
    view.extents[0] = rows;
    return view;
  }

  std::int64_t columns_ = 0;
  std::vector<RowBlock> blocks_;
  std::vector<Engine> epilogues_;
};

}  // namespace lbann::kernels
