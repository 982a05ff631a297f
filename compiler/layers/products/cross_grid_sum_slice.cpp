// The layer `cross_grid_sum_slice`: a sum and a slice.
#include "compiler/layers/products/cross_grid_sum_slice.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> cross_grid_sum_slice::output_dims(
    LayerContext const& context) const {
  if (!same_as_inputs(context)) return std::nullopt;
  auto piece = context.inputs[0];
  auto const pieces = static_cast<std::int64_t>(context.inputs.size());
  if (context.children > context.inputs.size()) {
    context.report(diagnostics::too_few_pieces, "",
                   {std::string(context.name), std::to_string(pieces + 1),
                    std::to_string(context.children) + " pieces, one for each input"});
    return std::nullopt;
  }
  if (piece.back() % pieces != 0) {
    context.report(diagnostics::input_dims, "",
                   {"0", std::string(context.name),
                    "whose last is a multiple of " + std::to_string(pieces), to_text(piece)});
    return std::nullopt;
  }
  piece.back() /= pieces;
  return std::vector<Dims>(context.children, piece);
}

void cross_grid_sum_slice::lower(LoweringContext& lowering) const {
  auto const& whole = lowering.input_dims(0);
  operators::slice cut{static_cast<std::int64_t>(whole.size()), {}};
  auto const pieces = static_cast<std::int64_t>(lowering.input_count());
  for (std::int64_t i = 0; i <= pieces; ++i) cut.points.push_back(whole.back() / pieces * i);
  auto const outputs = lowering.emit(std::move(cut), {joined_inputs(lowering, Function::add)});
  for (std::size_t i = 0; i < lowering.output_count(); ++i) lowering.output(i, outputs[i]);
}

}  // namespace lbann::compiler::layers
