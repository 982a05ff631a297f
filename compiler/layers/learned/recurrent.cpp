// Checks, weights, initial states and input products of recurrent layers.
#include "compiler/layers/learned/recurrent.hpp"

#include <cmath>

#include "compiler/initializers/uniform_initializer.hpp"
#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

bool Recurrent::accepts(LayerContext const& context) const {
  auto const& sequence = context.inputs[0];
  if (sequence.size() != 2) {
    context.report(diagnostics::input_axes, "",
                   {"0", std::string(context.name), "two", to_text(sequence)});
    return false;
  }
  Dims const state = {num_layers, hidden_size};
  for (std::size_t i = 1; i < context.inputs.size(); ++i)
    if (context.inputs[i] != state) {
      context.report(diagnostics::input_dims, "",
                     {std::to_string(i), std::string(context.name), to_text(state),
                      to_text(context.inputs[i])});
      return false;
    }
  // Up to four numbers are kept for each entry of the state.
  if (!entries(Dims{4, hidden_size, sequence[0]})) {
    context.report(diagnostics::number_too_large, "hidden_size", {std::string(context.name)});
    return false;
  }
  return true;
}

std::vector<WeightsRole> Recurrent::weights(LayerContext const& context) const {
  auto const bound = 1 / std::sqrt(static_cast<double>(hidden_size));
  auto const rows = gates * hidden_size;
  std::vector<WeightsRole> roles;
  auto const add = [&](std::string_view name, std::int64_t layer, Dims dims) {
    WeightsRole role{"_" + std::string(name) + "_l" + std::to_string(layer), std::move(dims),
                     preset(initializers::uniform_initializer{-bound, bound})};
    role.width_dims = role.dims.size() - 1;
    roles.push_back(std::move(role));
  };
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    add("ih_matrix", layer, {rows, layer == 0 ? context.inputs[0][1] : hidden_size});
    add("hh_matrix", layer, {rows, hidden_size});
    add("ih_bias", layer, {rows});
    add("hh_bias", layer, {rows});
  }
  return roles;
}

std::vector<TensorId> Recurrent::initial_states(LoweringContext& lowering,
                                                std::size_t index) const {
  std::vector<TensorId> states = {lowering.input(index)};
  if (num_layers > 1) {
    operators::slice cut{1, {}};
    for (std::int64_t layer = 0; layer <= num_layers; ++layer) cut.points.push_back(layer);
    states = lowering.emit(std::move(cut), std::move(states));
  }
  for (auto& state : states)
    state = lowering.reshape(state, Shape{batch_extent, {hidden_size, false}});
  return states;
}

TensorId Recurrent::input_products(LoweringContext& lowering, std::int64_t layer, TensorId sequence,
                                   bool with_both_biases) const {
  auto const steps = lowering.input_dims(0)[0];
  auto const inputs = layer == 0 ? lowering.input_dims(0)[1] : hidden_size;
  auto const first = first_weights(layer);
  auto const rows = lowering.reshape(sequence, Shape{{steps, true}, {inputs, false}});
  auto const products =
      lowering.emit(operators::matmul{false, true, {}, {}}, {rows, lowering.weights(first)})[0];
  ExpressionBuilder build;
  auto sum = build.operand(0) + build.operand(1);
  std::vector<TensorId> terms = {products, lowering.weights(first + 2)};
  if (with_both_biases) {
    sum = build.operand(0) + (build.operand(1) + build.operand(2));
    terms.push_back(lowering.weights(first + 3));
  }
  return lowering.reshape(lowering.map(build.finish({sum}), std::move(terms)),
                          Shape{batch_extent, {steps, false}, {gates * hidden_size, false}});
}

}  // namespace lbann::compiler::layers
