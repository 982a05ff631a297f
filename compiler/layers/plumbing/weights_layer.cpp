// The layer `weights_layer`: its weights, the same for each sample.
#include "compiler/layers/plumbing/weights_layer.hpp"

#include "compiler/initializers/constant_initializer.hpp"
#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> weights_layer::output_dims(LayerContext const& context) const {
  auto const own = given_or_hinted(context, "dims", dims);
  if (!own) return std::nullopt;
  return std::vector<Dims>{*own};
}

std::vector<WeightsRole> weights_layer::weights(LayerContext const& context) const {
  auto const own = dims.empty() ? *context.given_dims : dims;
  return {{"_weights", own, preset<initializers::constant_initializer>()}};
}

void weights_layer::lower(LoweringContext& lowering) const {
  lowering.output(
      0, lowering.map(operand_itself(), {lowering.weights(0)}, batched(lowering.output_dims(0))));
}

}  // namespace lbann::compiler::layers
