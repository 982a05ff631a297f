// The layer `softmax`: one operator with LBANN's clamp.
#include "compiler/layers/activations/softmax.hpp"

#include <cmath>
#include <limits>

#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> softmax::output_dims(LayerContext const& context) const {
  return same_as_input(context);
}

double softmax::minimum(DataType type) {
  return type == DataType::f64 ? std::sqrt(std::numeric_limits<double>::min())
                               : std::sqrt(static_cast<double>(std::numeric_limits<float>::min()));
}

void softmax::lower(LoweringContext& lowering) const {
  operators::softmax op;
  op.minimum = minimum(lowering.type());
  if (softmax_mode == SoftmaxMode::channel)
    op.inner = static_cast<std::int64_t>(lowering.input_dims(0).size()) - 1;
  lowering.output(0, lowering.emit(op, {lowering.input(0)})[0]);
}

}  // namespace lbann::compiler::layers
