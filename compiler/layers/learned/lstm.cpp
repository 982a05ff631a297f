// The layer `lstm`: for each layer one product of all steps' inputs, then the recurrence.
#include "compiler/layers/learned/lstm.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/learned/recurrent.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

namespace {

Recurrent sizes(lstm const& layer) { return {layer.hidden_size, layer.num_layers, 4}; }

}  // namespace

std::optional<std::vector<Dims>> lstm::output_dims(LayerContext const& context) const {
  if (context.inputs.size() == 2) {
    context.report(diagnostics::parent_count, "",
                   {std::string(context.name), "1 or 3 parents", "2"});
    return std::nullopt;
  }
  if (!sizes(*this).accepts(context)) return std::nullopt;
  return std::vector<Dims>{{context.inputs[0][0], (output_cells ? 2 : 1) * hidden_size}};
}

std::vector<WeightsRole> lstm::weights(LayerContext const& context) const {
  return sizes(*this).weights(context);
}

void lstm::lower(LoweringContext& lowering) const {
  auto const recurrent = sizes(*this);
  auto const layers = static_cast<std::size_t>(num_layers);
  std::vector<TensorId> first, first_cell;
  if (lowering.input_count() == 1) {
    auto const zeros = filled(lowering, 0, {hidden_size});
    first.assign(layers, zeros);
    first_cell.assign(layers, zeros);
  } else {
    first = recurrent.initial_states(lowering, 1);
    first_cell = recurrent.initial_states(lowering, 2);
  }
  std::vector<TensorId> outputs = {lowering.input(0)};
  for (std::size_t layer = 0; layer < layers; ++layer) {
    auto const number = static_cast<std::int64_t>(layer);
    auto const products = recurrent.input_products(lowering, number, outputs[0], true);
    outputs =
        lowering.emit(operators::lstm{}, {products, first[layer], first_cell[layer],
                                          lowering.weights(Recurrent::first_weights(number) + 1)});
  }
  lowering.output(0, output_cells
                         ? lowering.emit(operators::concatenate{2}, {outputs[0], outputs[1]})[0]
                         : outputs[0]);
}

}  // namespace lbann::compiler::layers
