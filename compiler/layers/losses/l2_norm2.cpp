// The layer `l2_norm2`: one reduction.
#include "compiler/layers/losses/l2_norm2.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> l2_norm2::output_dims(LayerContext const& context) const {
  return one_number(context);
}

void l2_norm2::lower(LoweringContext& lowering) const {
  lowering.output(0, sum_over_sample(lowering, expression_of(Function::square, 1),
                                     {lowering.input(0)}, lowering.input_dims(0)));
}

}  // namespace lbann::compiler::layers
