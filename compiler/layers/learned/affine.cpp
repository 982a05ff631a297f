// A matrix product and a map.
#include "compiler/layers/learned/affine.hpp"

#include "compiler/initializers/constant_initializer.hpp"
#include "compiler/initializers/he_normal_initializer.hpp"
#include "compiler/layers/expressions.hpp"

namespace lbann::compiler::layers {

std::vector<WeightsRole> Affine::weights() const {
  WeightsRole linearity{
      "_linearity_weights", {outputs, inputs}, preset<initializers::he_normal_initializer>()};
  if (transpose) linearity.dims = {inputs, outputs};
  linearity.inputs_first = transpose;
  linearity.width_dims = 1;
  linearity.either_order = true;
  linearity.fan_in = static_cast<double>(inputs);
  linearity.fan_out = static_cast<double>(outputs);
  std::vector<WeightsRole> roles = {std::move(linearity)};
  if (bias)
    roles.push_back({"_bias_weights", {outputs}, preset<initializers::constant_initializer>()});
  return roles;
}

TensorId Affine::lower(LoweringContext& lowering, TensorId x, Extent rows) const {
  operators::matmul op;
  // Another layer that shares it may keep it in the other order.
  op.transpose_b =
      inputs == outputs ? !transpose : lowering.weights_dims(0) == Dims{outputs, inputs};
  auto const columns = lowering.reshape(x, Shape{rows, {inputs, false}});
  auto const y = lowering.emit(std::move(op), {columns, lowering.weights(0)})[0];
  return bias ? lowering.map(sum_of_two(), {y, lowering.weights(1)}) : y;
}

}  // namespace lbann::compiler::layers
