// The layer `mean_absolute_error`: one reduction.
#include "compiler/layers/losses/mean_absolute_error.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> mean_absolute_error::output_dims(
    LayerContext const& context) const {
  return one_number(context);
}

void mean_absolute_error::lower(LoweringContext& lowering) const {
  lowering.output(0, mean_of_difference(lowering, Function::abs));
}

}  // namespace lbann::compiler::layers
