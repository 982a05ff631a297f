// The layer `leaky_relu`: one map.
#include "compiler/layers/leaky_relu.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> leaky_relu::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void leaky_relu::lower(Lowering& lowering) const {
  ExpressionBuilder build;
  auto const x = build.operand(0), zero = build.constant(0);
  auto const slope = build.apply(
      Function::select,
      {build.apply(Function::less, {zero, x}), build.constant(1), build.constant(negative_slope)});
  lowering.output(0, lowering.map(build.finish({x * slope}), {lowering.input(0)}));
}

}  // namespace lbann::compiler::layers
