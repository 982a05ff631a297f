// The layer `scatter`: one operator.
#include "compiler/layers/indices/scatter.hpp"

#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> scatter::output_dims(LayerContext const& context) const {
  auto const& input = context.inputs[0];
  auto const along = axis_of(context, axis, input);
  auto const picks = entries(context.inputs[1]);
  if (!along || !picks) return std::nullopt;
  auto expected = dims;
  if (dims.size() == input.size()) expected[*along] = input[*along];
  if (expected != input) {
    context.report(diagnostics::dims_do_not_fit, "dims",
                   {"dims " + to_text(dims), std::string(context.name), to_text(input),
                    "only axis " + std::to_string(*along) + " may differ"});
    return std::nullopt;
  }
  if (*picks != input[*along]) {
    context.report(
        diagnostics::input_dims, "",
        {"1", std::string(context.name), to_text(Dims{input[*along]}), to_text(context.inputs[1])});
    return std::nullopt;
  }
  return std::vector<Dims>{dims};
}

void scatter::lower(LoweringContext& lowering) const {
  auto const rank = static_cast<std::int64_t>(dims.size());
  auto const indices =
      lowering.reshape(lowering.input(1), batched(Dims{*entries(lowering.input_dims(1))}));
  operators::scatter op{batched(dims), 1 + (axis < 0 ? axis + rank : axis), 1};
  lowering.output(0, lowering.emit(std::move(op), {lowering.input(0), indices})[0]);
}

}  // namespace lbann::compiler::layers
