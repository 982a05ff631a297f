// The layer `layer_norm`: one operator.
#include "compiler/layers/normalisation/layer_norm.hpp"

#include "compiler/initializers/constant_initializer.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> layer_norm::output_dims(LayerContext const& context) const {
  if (!own_axis(context, "start_dim", start_dim)) return std::nullopt;
  return same_as_input(context);
}

std::vector<WeightsRole> layer_norm::weights(LayerContext const& context) const {
  auto const& dims = context.inputs[0];
  auto const first = static_cast<std::ptrdiff_t>(axis_number(dims, start_dim));
  Dims const row(dims.begin() + first, dims.end());
  std::vector<WeightsRole> roles;
  if (scale) roles.push_back({"_scale", row, preset(initializers::constant_initializer{1})});
  if (bias) roles.push_back({"_bias", row, preset<initializers::constant_initializer>()});
  return roles;
}

void layer_norm::lower(LoweringContext& lowering) const {
  operators::normalise op;
  op.axis = 1 + static_cast<std::int64_t>(axis_number(lowering.input_dims(0), start_dim));
  op.epsilon = epsilon;
  op.scale = scale;
  op.bias = bias;
  std::vector<TensorId> inputs = {lowering.input(0)};
  for (std::size_t role = 0; role < lowering.weights_count(); ++role)
    inputs.push_back(lowering.weights(role));
  lowering.output(0, lowering.emit(op, std::move(inputs))[0]);
}

}  // namespace lbann::compiler::layers
