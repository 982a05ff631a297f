// The layer `mean_squared_error`: one reduction.
#include "compiler/layers/mean_squared_error.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> mean_squared_error::output_dims(
    LayerContext const& context) const {
  return one_number(context);
}

void mean_squared_error::lower(Lowering& lowering) const {
  auto const& dims = lowering.input_dims(0);
  ExpressionBuilder build;
  auto const difference = build.operand(0) - build.operand(1);
  auto const mean =
      build.apply(Function::square, {difference}) * (1.0 / static_cast<double>(*entries(dims)));
  lowering.output(0, sum_over_sample(lowering, build.finish({mean}),
                                     {lowering.input(0), lowering.input(1)}, dims));
}

}  // namespace lbann::compiler::layers
