// The layer `channelwise_softmax`: one operator.
#include "compiler/layers/activations/channelwise_softmax.hpp"

#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> channelwise_softmax::output_dims(
    LayerContext const& context) const {
  auto const axis = own_axis(context, "dim", dim);
  if (!axis) return std::nullopt;
  auto const& dims = context.inputs[0];
  if (!single_dim_mode && *axis != 0 && *axis + 1 != dims.size()) {
    context.report(diagnostics::axis_inside, "dim",
                   {std::to_string(dim), std::string(context.name), to_text(dims)});
    return std::nullopt;
  }
  return same_as_input(context);
}

void channelwise_softmax::lower(LoweringContext& lowering) const {
  auto const rank = static_cast<std::int64_t>(lowering.input_dims(0).size());
  auto const channels = static_cast<std::int64_t>(axis_number(lowering.input_dims(0), dim));
  operators::softmax op;
  if (single_dim_mode) {
    op.axis = 1 + channels;
    op.inner = rank - 1 - channels;
  } else {
    op.axis = channels == 0 ? 2 : 1;
    op.inner = channels == 0 ? 0 : 1;
  }
  lowering.output(0, lowering.emit(op, {lowering.input(0)})[0]);
}

}  // namespace lbann::compiler::layers
