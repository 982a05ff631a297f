// The layer `gru`: for each layer one product of all steps' inputs, then the recurrence.
#include "compiler/layers/learned/gru.hpp"

#include <cmath>

#include "compiler/initializers/uniform_initializer.hpp"
#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> gru::output_dims(LayerContext const& context) const {
  auto const &sequence = context.inputs[0], &state = context.inputs[1];
  if (sequence.size() != 2) {
    context.report(diagnostics::input_axes, "",
                   {"0", std::string(context.name), "two", to_text(sequence)});
    return std::nullopt;
  }
  Dims const expected = {num_layers, hidden_size};
  if (state != expected) {
    context.report(diagnostics::input_dims, "",
                   {"1", std::string(context.name), to_text(expected), to_text(state)});
    return std::nullopt;
  }
  // Four numbers are kept for each entry of the state.
  if (!entries(Dims{4, hidden_size, sequence[0]})) {
    context.report(diagnostics::number_too_large, "hidden_size", {std::string(context.name)});
    return std::nullopt;
  }
  return std::vector<Dims>{{sequence[0], hidden_size}};
}

std::vector<WeightsRole> gru::weights(LayerContext const& context) const {
  auto const bound = 1 / std::sqrt(static_cast<double>(hidden_size));
  auto const gates = 3 * hidden_size;
  std::vector<WeightsRole> roles;
  auto const add = [&](std::string_view name, std::int64_t layer, Dims dims) {
    WeightsRole role{"_" + std::string(name) + "_l" + std::to_string(layer), std::move(dims),
                     preset(initializers::uniform_initializer{-bound, bound})};
    role.width_dims = role.dims.size() - 1;
    roles.push_back(std::move(role));
  };
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    add("ih_matrix", layer, {gates, layer == 0 ? context.inputs[0][1] : hidden_size});
    add("hh_matrix", layer, {gates, hidden_size});
    add("ih_bias", layer, {gates});
    add("hh_bias", layer, {gates});
  }
  return roles;
}

void gru::lower(LoweringContext& lowering) const {
  auto const steps = lowering.input_dims(0)[0];
  Shape const state{batch_extent, {hidden_size, false}};
  std::vector<TensorId> first = {lowering.input(1)};
  if (num_layers > 1) {
    operators::slice cut{1, {}};
    for (std::int64_t layer = 0; layer <= num_layers; ++layer) cut.points.push_back(layer);
    first = lowering.emit(std::move(cut), {lowering.input(1)});
  }
  auto sequence = lowering.input(0);
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    auto const weights = [&](std::size_t which) {
      return lowering.weights(4 * static_cast<std::size_t>(layer) + which);
    };
    auto const inputs = layer == 0 ? lowering.input_dims(0)[1] : hidden_size;
    auto const rows = lowering.reshape(sequence, Shape{{steps, true}, {inputs, false}});
    auto products = lowering.emit(operators::matmul{false, true, {}, {}}, {rows, weights(0)})[0];
    products = lowering.map(sum_of_two(), {products, weights(2)});
    products =
        lowering.reshape(products, Shape{batch_extent, {steps, false}, {3 * hidden_size, false}});
    auto const before = lowering.reshape(first[static_cast<std::size_t>(layer)], state);
    sequence = lowering.emit(operators::gru{}, {products, before, weights(1), weights(3)})[0];
  }
  lowering.output(0, sequence);
}

}  // namespace lbann::compiler::layers
