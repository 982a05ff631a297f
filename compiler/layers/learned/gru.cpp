// The layer `gru`: for each layer one product of all steps' inputs, then the recurrence.
#include "compiler/layers/learned/gru.hpp"

#include "compiler/layers/learned/recurrent.hpp"

namespace lbann::compiler::layers {

namespace {

Recurrent sizes(gru const& layer) { return {layer.hidden_size, layer.num_layers, 3}; }

}  // namespace

std::optional<std::vector<Dims>> gru::output_dims(LayerContext const& context) const {
  if (!sizes(*this).accepts(context)) return std::nullopt;
  return std::vector<Dims>{{context.inputs[0][0], hidden_size}};
}

std::vector<WeightsRole> gru::weights(LayerContext const& context) const {
  return sizes(*this).weights(context);
}

void gru::lower(LoweringContext& lowering) const {
  auto const recurrent = sizes(*this);
  auto const first = recurrent.initial_states(lowering, 1);
  auto sequence = lowering.input(0);
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    auto const weights = Recurrent::first_weights(layer);
    auto const products = recurrent.input_products(lowering, layer, sequence, false);
    sequence = lowering.emit(operators::gru{},
                             {products, first[static_cast<std::size_t>(layer)],
                              lowering.weights(weights + 1), lowering.weights(weights + 3)})[0];
  }
  lowering.output(0, sequence);
}

}  // namespace lbann::compiler::layers
