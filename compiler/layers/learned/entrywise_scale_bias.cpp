// The layer `entrywise_scale_bias`: one map.
#include "compiler/layers/learned/entrywise_scale_bias.hpp"

#include "compiler/layers/learned/scale_bias.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> entrywise_scale_bias::output_dims(
    LayerContext const& context) const {
  auto const count = entries(context.inputs[0]);
  if (!count || !fits_in_a_tensor({2}, *count)) {
    context.report(diagnostics::number_too_large, "", {std::string(context.name)});
    return std::nullopt;
  }
  if (!check_scale_and_bias(context, *count)) return std::nullopt;
  return same_as_input(context);
}

std::vector<WeightsRole> entrywise_scale_bias::weights(LayerContext const& context) const {
  return {scale_and_bias(*entries(context.inputs[0]))};
}

void entrywise_scale_bias::lower(LoweringContext& lowering) const {
  lower_scale_and_bias(lowering, lowering.input_dims(0));
}

}  // namespace lbann::compiler::layers
