// The layer `rms_norm`: a sum of squares and one map.
#include "compiler/layers/normalisation/rms_norm.hpp"

#include <algorithm>

#include "compiler/initializers/constant_initializer.hpp"
#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> rms_norm::output_dims(LayerContext const& context) const {
  if (!own_axis(context, "start_dim", start_dim)) return std::nullopt;
  return same_as_input(context);
}

std::vector<WeightsRole> rms_norm::weights(LayerContext const& context) const {
  if (!scale) return {};
  auto const& dims = context.inputs[0];
  auto const first = static_cast<std::ptrdiff_t>(axis_number(dims, start_dim));
  return {{"_scale", Dims(dims.begin() + first, dims.end()),
           preset(initializers::constant_initializer{1})}};
}

void rms_norm::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.input_dims(0);
  auto const first = axis_number(dims, start_dim);
  auto const x = lowering.input(0);
  auto const squares =
      reduced(lowering, operators::ReduceMode::sum, expression_of(Function::square, 1), {x}, dims,
              axes_from(dims, first));
  // With the reduced axes of size 1, the sums broadcast to x.
  auto sum_dims = dims;
  std::fill(sum_dims.begin() + static_cast<std::ptrdiff_t>(first), sum_dims.end(), 1);
  double count = 1;
  for (std::size_t axis = first; axis < dims.size(); ++axis)
    count *= static_cast<double>(dims[axis]);

  ExpressionBuilder build;
  auto const mean = build.operand(1) * (1 / count);
  auto y = build.operand(0) / build.apply(Function::sqrt, {mean + epsilon});
  std::vector<TensorId> inputs = {x, lowering.reshape(squares, batched(sum_dims))};
  if (scale) {
    y = y * build.operand(2);
    inputs.push_back(lowering.weights(0));
  }
  lowering.output(0, lowering.map(build.finish({y}), std::move(inputs)));
}

}  // namespace lbann::compiler::layers
