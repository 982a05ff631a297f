// The layer `instance_norm`: one operator.
#include "compiler/layers/normalisation/instance_norm.hpp"

#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> instance_norm::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void instance_norm::lower(LoweringContext& lowering) const {
  operators::normalise op;
  op.axis = 2;
  op.epsilon = epsilon;
  lowering.output(0, lowering.emit(op, {lowering.input(0)})[0]);
}

}  // namespace lbann::compiler::layers
