// The layer `convolution`: kernel and bias, as a convolution and a map.
#include "compiler/layers/learned/convolution.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> convolution::output_dims(LayerContext const& context) const {
  auto const window = this->window(context);
  if (!window) return std::nullopt;
  auto positions = window->positions(context, context.inputs[0]);
  if (!positions) return std::nullopt;
  positions->insert(positions->begin(), out_channels);
  return std::vector<Dims>{std::move(*positions)};
}

std::vector<WeightsRole> convolution::weights(LayerContext const& context) const {
  return roles(context, out_channels, context.inputs[0][0]);
}

void convolution::lower(LoweringContext& lowering) const {
  operators::convolution op{steps(lowering.input_dims(0).size() - 1), {}, {}};
  finish(lowering, lowering.emit(std::move(op), {lowering.input(0), lowering.weights(0)})[0]);
}

}  // namespace lbann::compiler::layers
