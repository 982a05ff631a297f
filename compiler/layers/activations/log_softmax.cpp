// The layer `log_softmax`: one operator.
#include "compiler/layers/activations/log_softmax.hpp"

#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> log_softmax::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

void log_softmax::lower(LoweringContext& lowering) const {
  operators::softmax op;
  op.logarithm = true;
  lowering.output(0, lowering.emit(op, {lowering.input(0)})[0]);
}

}  // namespace lbann::compiler::layers
