// The layer `concatenation`: one operator.
#include "compiler/layers/shapes/concatenation.hpp"

#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> concatenation::output_dims(LayerContext const& context) const {
  auto result = context.inputs[0];
  auto const rank = static_cast<std::int64_t>(result.size());
  if (axis < -rank || axis >= rank) {
    context.report(diagnostics::axis_out_of_range, "axis",
                   {std::to_string(axis), std::string(context.name), to_text(result)});
    return std::nullopt;
  }
  auto const along = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  for (std::size_t i = 1; i < context.inputs.size(); ++i) {
    auto other = context.inputs[i];
    if (other.size() == result.size()) {
      auto const extent = other[along];
      other[along] = result[along];
      if (other == result) {
        result[along] += extent;
        continue;
      }
    }
    context.report(diagnostics::cannot_concatenate, "",
                   {std::string(context.name), to_text(context.inputs[0]), std::to_string(i),
                    to_text(context.inputs[i]), std::to_string(along)});
    return std::nullopt;
  }
  return std::vector<Dims>{std::move(result)};
}

void concatenation::lower(LoweringContext& lowering) const {
  if (lowering.input_count() == 1) return lowering.output(0, lowering.input(0));
  auto const rank = static_cast<std::int64_t>(lowering.input_dims(0).size());
  operators::concatenate op;
  op.axis = 1 + (axis < 0 ? axis + rank : axis);
  std::vector<TensorId> inputs;
  for (std::size_t i = 0; i < lowering.input_count(); ++i) inputs.push_back(lowering.input(i));
  lowering.output(0, lowering.emit(op, std::move(inputs))[0]);
}

}  // namespace lbann::compiler::layers
