// The layer `fully_connected`: linearity and bias, as a matrix product and a map.
#include "compiler/layers/fully_connected.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> fully_connected::output_dims(LayerContext const& context) const {
  auto const in = entries(context.inputs[0]);
  if (num_neurons == 0 && !context.given_dims) {
    context.complain(diagnostics::missing_field, "",
                     {std::string(context.name), "`num_neurons` or `hint_layer`"});
    return std::nullopt;
  }
  auto const out = num_neurons > 0 ? Dims{num_neurons} : *context.given_dims;
  auto const neurons = entries(out);
  if (!in || !neurons || !checked_product(Dims{*in, *neurons})) {
    context.complain(diagnostics::number_too_large, "num_neurons", {std::string(context.name)});
    return std::nullopt;
  }
  return std::vector<Dims>{out};
}

std::vector<WeightsRole> fully_connected::weights(LayerContext const& context) const {
  auto const in = *entries(context.inputs[0]);
  auto const out = num_neurons > 0 ? num_neurons : *entries(*context.given_dims);
  WeightsRole linearity{"_linearity_weights", {out, in}, "he_normal_initializer"};
  if (transpose) linearity.dims = {in, out};
  linearity.width_dims = 1;
  linearity.fan_in = static_cast<double>(in);
  linearity.fan_out = static_cast<double>(out);
  std::vector<WeightsRole> roles = {std::move(linearity)};
  if (has_bias) roles.push_back({"_bias_weights", {out}, "constant_initializer"});
  return roles;
}

void fully_connected::lower(Lowering& lowering) const {
  auto const x =
      lowering.reshape(lowering.input(0), batched(Dims{*entries(lowering.input_dims(0))}));
  operators::matmul op;
  op.transpose_b = !transpose;
  auto y = lowering.emit(std::move(op), {x, lowering.weights(0)})[0];
  if (has_bias) y = lowering.map(sum_of_two(), {y, lowering.weights(1)});
  lowering.output(0, y);
}

}  // namespace lbann::compiler::layers
