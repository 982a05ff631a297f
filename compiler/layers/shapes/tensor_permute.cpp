// The layer `tensor_permute`: one operator.
#include "compiler/layers/shapes/tensor_permute.hpp"

#include <algorithm>

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> tensor_permute::output_dims(LayerContext const& context) const {
  auto const& input = context.inputs[0];
  Dims dims;
  for (std::size_t axis = 0; axis < axes.size() && axis < input.size(); ++axis) {
    if (std::ranges::find(axes, static_cast<std::int64_t>(axis)) == axes.end()) break;
    if (axes[axis] < static_cast<std::int64_t>(input.size()))
      dims.push_back(input[static_cast<std::size_t>(axes[axis])]);
  }
  if (axes.size() == input.size() && dims.size() == input.size()) return std::vector<Dims>{dims};
  context.report(diagnostics::dims_do_not_fit, "axes",
                 {"axes " + to_text(axes), std::string(context.name), to_text(input),
                  "each of its axes, once"});
  return std::nullopt;
}

void tensor_permute::lower(LoweringContext& lowering) const {
  operators::permute op{{0}};
  for (auto const axis : axes) op.axes.push_back(axis + 1);
  lowering.output(0, lowering.emit(std::move(op), {lowering.input(0)})[0]);
}

}  // namespace lbann::compiler::layers
