// The layer `cross_grid_sum`: a sum that all children share.
#include "compiler/layers/products/cross_grid_sum.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> cross_grid_sum::output_dims(LayerContext const& context) const {
  if (!same_as_inputs(context)) return std::nullopt;
  return std::vector<Dims>(context.children, context.inputs[0]);
}

void cross_grid_sum::lower(LoweringContext& lowering) const {
  auto const total = joined_inputs(lowering, Function::add);
  for (std::size_t i = 0; i < lowering.output_count(); ++i) lowering.output(i, total);
}

}  // namespace lbann::compiler::layers
