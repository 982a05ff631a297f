// The layer `channelwise_fully_connected`: channels of all samples as rows of one product.
#include "compiler/layers/learned/channelwise_fully_connected.hpp"

#include "compiler/layers/learned/affine.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

namespace {

/// The map of a channel of `input`, whose sizes are known to be countable.
Affine map_of(channelwise_fully_connected const& layer, Dims const& input) {
  return {*entries(Dims(input.begin() + 1, input.end())), *entries(layer.output_channel_dims),
          layer.bias, layer.transpose};
}

}  // namespace

std::optional<std::vector<Dims>> channelwise_fully_connected::output_dims(
    LayerContext const& context) const {
  auto const& input = context.inputs[0];
  if (input.size() < 2) {
    context.report(diagnostics::input_axes, "",
                   {"0", std::string(context.name), "two or more", to_text(input)});
    return std::nullopt;
  }
  auto const in = entries(Dims(input.begin() + 1, input.end()));
  auto const out = entries(output_channel_dims);
  if (!in || !out || !checked_product(Dims{*in, *out})) {
    context.report(diagnostics::number_too_large, "output_channel_dims",
                   {std::string(context.name)});
    return std::nullopt;
  }
  Dims output = {input[0]};
  output.insert(output.end(), output_channel_dims.begin(), output_channel_dims.end());
  return std::vector<Dims>{std::move(output)};
}

std::vector<WeightsRole> channelwise_fully_connected::weights(LayerContext const& context) const {
  return map_of(*this, context.inputs[0]).weights();
}

void channelwise_fully_connected::lower(LoweringContext& lowering) const {
  auto const& input = lowering.input_dims(0);
  lowering.output(0,
                  map_of(*this, input).lower(lowering, lowering.input(0), Extent{input[0], true}));
}

}  // namespace lbann::compiler::layers
