// The layer `channelwise_scale_bias`: one map.
#include "compiler/layers/learned/channelwise_scale_bias.hpp"

#include <algorithm>

#include "compiler/layers/learned/scale_bias.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> channelwise_scale_bias::output_dims(
    LayerContext const& context) const {
  if (!check_scale_and_bias(context, context.inputs[0][0])) return std::nullopt;
  return same_as_input(context);
}

std::vector<WeightsRole> channelwise_scale_bias::weights(LayerContext const& context) const {
  return {scale_and_bias(context.inputs[0][0])};
}

void channelwise_scale_bias::lower(LoweringContext& lowering) const {
  auto dims = lowering.input_dims(0);
  std::fill(dims.begin() + 1, dims.end(), 1);
  lower_scale_and_bias(lowering, dims);
}

}  // namespace lbann::compiler::layers
