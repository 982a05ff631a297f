// The layer `fully_connected`: linearity and bias, as a matrix product and a map.
#include "compiler/layers/learned/fully_connected.hpp"

#include "compiler/layers/learned/affine.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> fully_connected::output_dims(LayerContext const& context) const {
  auto const in = entries(context.inputs[0]);
  if (num_neurons == 0 && !context.given_dims) {
    context.report(diagnostics::missing_field, "",
                   {std::string(context.name), "`num_neurons` or `hint_layer`"});
    return std::nullopt;
  }
  auto const out = num_neurons > 0 ? Dims{num_neurons} : *context.given_dims;
  auto const neurons = entries(out);
  if (!in || !neurons || !checked_product(Dims{*in, *neurons})) {
    context.report(diagnostics::number_too_large, "num_neurons", {std::string(context.name)});
    return std::nullopt;
  }
  return std::vector<Dims>{out};
}

std::vector<WeightsRole> fully_connected::weights(LayerContext const& context) const {
  auto const out = num_neurons > 0 ? num_neurons : *entries(*context.given_dims);
  return Affine{*entries(context.inputs[0]), out, has_bias, transpose}.weights();
}

void fully_connected::lower(LoweringContext& lowering) const {
  Affine const map{*entries(lowering.input_dims(0)), *entries(lowering.output_dims(0)), has_bias,
                   transpose};
  lowering.output(0, map.lower(lowering, lowering.input(0), batch_extent));
}

}  // namespace lbann::compiler::layers
