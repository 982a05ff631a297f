// The layer `relu`: one map.
#include "compiler/layers/relu.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> relu::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void relu::lower(Lowering& lowering) const {
  // Written so that what is not a number stays so, and the gradient at 0 is 0.
  ExpressionBuilder build;
  auto const x = build.operand(0), zero = build.constant(0);
  auto const positive =
      build.apply(Function::select, {build.apply(Function::less_equal, {x, zero}), zero, x});
  lowering.output(0, lowering.map(build.finish({positive}), {lowering.input(0)}));
}

}  // namespace lbann::compiler::layers
