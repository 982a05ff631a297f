// The layer `group_norm`: groups as rows of the operator `normalise`, and one map.
#include "compiler/layers/normalisation/group_norm.hpp"

#include <algorithm>

#include "compiler/initializers/constant_initializer.hpp"
#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> group_norm::output_dims(LayerContext const& context) const {
  auto const channels = context.inputs[0][0];
  if (channels % num_groups != 0) {
    context.report(
        diagnostics::channels_do_not_divide, "num_groups",
        {std::to_string(num_groups), std::to_string(channels), std::string(context.name)});
    return std::nullopt;
  }
  return same_as_input(context);
}

std::vector<WeightsRole> group_norm::weights(LayerContext const& context) const {
  Dims const channels = {context.inputs[0][0]};
  std::vector<WeightsRole> roles;
  if (scale) roles.push_back({"_scale", channels, preset(initializers::constant_initializer{1})});
  if (bias) roles.push_back({"_bias", channels, preset<initializers::constant_initializer>()});
  return roles;
}

void group_norm::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.input_dims(0);
  std::int64_t size = 1;
  for (auto const extent : dims) size *= extent;
  operators::normalise op;
  op.axis = 2;
  op.epsilon = epsilon;
  Dims const rows = {num_groups, size / num_groups};
  auto const groups = lowering.reshape(lowering.input(0), batched(rows));
  auto const normal = lowering.reshape(lowering.emit(op, {groups})[0], batched(dims));
  if (!scale && !bias) return lowering.output(0, normal);

  Dims broadcast(dims.size(), 1);
  broadcast[0] = dims[0];
  ExpressionBuilder build;
  std::vector<TensorId> inputs = {normal};
  auto const next_weights = [&] {
    auto const role = inputs.size() - 1;
    inputs.push_back(lowering.reshape(lowering.weights(role), Shape{broadcast}));
    return build.operand(role + 1);
  };
  auto y = build.operand(0);
  if (scale) y = y * next_weights();
  if (bias) y = y + next_weights();
  lowering.output(0, lowering.map(build.finish({y}), std::move(inputs)));
}

}  // namespace lbann::compiler::layers
