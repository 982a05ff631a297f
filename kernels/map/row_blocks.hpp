// A product computed in blocks of rows, each finished by its epilogue before the next one begins:
// for libraries and devices, which compute whole matrices.
#pragma once

#include <algorithm>

#include "kernels/map/epilogue.hpp"
#include "kernels/shapes/matrix_products.hpp"

namespace lbann::kernels {

/// Rows [row, row + rows) of a product, to be computed at `product`, contiguous.
struct RowBlock {
  std::int64_t row = 0, rows = 0;
  void* product = nullptr;
};

/// The blocks of a call of matmul. The product lies in an output that can hold it, in one block, or
/// in scratch, as many rows at a time as fit. `Engine` runs epilogues: `bind`, `run_parallel`.
template <class Engine>
class RowBlocks {
 public:
  /// For a call that `fits`.
  RowBlocks(Call const& call, std::size_t element_bytes) {
    auto const& op = operator_of<operators::matmul>(call);
    auto const type = type_of_product(call);
    auto const extents = extents_of_product(call);
    columns_ = extents.columns;
    auto const holder = holder_of_product(call, type);
    auto const step = rows_at_once(call, element_bytes);
    for (std::int64_t row = 0; row < extents.rows; row += step) {
      auto const rows = std::min(step, extents.rows - row);
      // An output that holds the product holds it whole: there is one block, from row 0 on.
      blocks_.push_back(
          {row, rows,
           holder ? call.outputs[*holder].data : static_cast<void*>(call.scratch.data())});
      if (op.epilogue.empty()) continue;
      std::vector<View> inputs, outputs;
      for (std::size_t i = 0; i < call.inputs.size(); ++i)
        inputs.push_back(i < 2 ? call.inputs[i]
                               : narrowed(call.inputs[i], row, rows, extents.rows));
      for (auto const& view : call.outputs)
        outputs.push_back(narrowed(view, row, rows, extents.rows));
      Call part = call;
      part.inputs = inputs;
      part.outputs = outputs;
      epilogues_.push_back(*bind_epilogue<Engine>(op.epilogue, part, type, blocks_.back().product));
    }
  }

  static bool fits(Call const& call, std::size_t element_bytes) {
    return extents_of_product(call).rows == 0 || rows_at_once(call, element_bytes) > 0;
  }

  std::int64_t columns() const { return columns_; }

  /// Calls multiply(block) for each block, then runs its epilogue.
  template <class Multiply>
  void for_each(Multiply const& multiply) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      multiply(blocks_[b]);
      if (!epilogues_.empty()) epilogues_[b].run_parallel();
    }
  }

 private:
  static std::int64_t rows_at_once(Call const& call, std::size_t element_bytes) {
    auto const extents = extents_of_product(call);
    if (holder_of_product(call, type_of_product(call))) return extents.rows;
    auto const row =
        std::max<std::int64_t>(extents.columns, 1) * static_cast<std::int64_t>(element_bytes);
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
