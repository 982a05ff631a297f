// The layer `l1_norm`: one reduction.
#include "compiler/layers/losses/l1_norm.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> l1_norm::output_dims(LayerContext const& context) const {
  return one_number(context);
}

void l1_norm::lower(LoweringContext& lowering) const {
  lowering.output(0, sum_over_sample(lowering, expression_of(Function::abs, 1), {lowering.input(0)},
                                     lowering.input_dims(0)));
}

}  // namespace lbann::compiler::layers
