// Binds the epilogue once for each panel, to the rows of everything that has rows.
#include "kernels/kokkos/product_panels.hpp"

#include <algorithm>

namespace lbann::kernels::kokkos {

namespace {

std::int64_t panel_rows(Call const& call, std::size_t element_bytes) {
  auto const extents = extents_of_product(call);
  if (holder_of_product(call, call.inputs[0].type)) return extents.rows;
  auto const row =
      std::max<std::int64_t>(extents.columns, 1) * static_cast<std::int64_t>(element_bytes);
  return static_cast<std::int64_t>(call.scratch.size()) / row;
}

/// `view` for `rows` rows from `row` of `all`, if it has rows.
View narrowed(View view, std::int64_t row, std::int64_t rows, std::int64_t all) {
  if (view.rank != 2 || view.extents[0] != all || all == 1) return view;
  view.data =
      view.as<std::byte>() + row * view.extents[1] * static_cast<std::int64_t>(bytes_of(view.type));
  view.extents[0] = rows;
  return view;
}

}  // namespace

ProductExtents extents_of_product(Call const& call) {
  auto const& op = operator_of<operators::matmul>(call);
  auto const &a = call.inputs[0].extents, &b = call.inputs[1].extents;
  return {a[op.transpose_a ? 1 : 0], a[op.transpose_a ? 0 : 1], b[op.transpose_b ? 0 : 1]};
}

bool ProductPanels::fits(Call const& call, std::size_t element_bytes) {
  return extents_of_product(call).rows == 0 || panel_rows(call, element_bytes) > 0;
}

ProductPanels::ProductPanels(Call const& call, std::size_t element_bytes) {
  auto const& op = operator_of<operators::matmul>(call);
  auto const type = call.inputs[0].type;
  auto const extents = extents_of_product(call);
  columns_ = extents.columns;
  auto const holder = holder_of_product(call, type);
  auto const step = panel_rows(call, element_bytes);
  for (std::int64_t row = 0; row < extents.rows; row += step) {
    auto const rows = std::min(step, extents.rows - row);
    // One panel is enough for an output that holds the product: it starts at row 0.
    panels_.push_back(
        {row, rows, holder ? call.outputs[*holder].data : static_cast<void*>(call.scratch.data())});
    if (op.epilogue.empty()) continue;
    std::vector<View> inputs, outputs;
    for (std::size_t i = 0; i < call.inputs.size(); ++i)
      inputs.push_back(i < 2 ? call.inputs[i] : narrowed(call.inputs[i], row, rows, extents.rows));
    for (auto const& view : call.outputs)
      outputs.push_back(narrowed(view, row, rows, extents.rows));
    Call part = call;
    part.inputs = inputs;
    part.outputs = outputs;
    epilogues_.push_back(*bind_epilogue(op.epilogue, part, type, panels_.back().product));
  }
}

}  // namespace lbann::kernels::kokkos
