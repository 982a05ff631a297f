// The layer `gather`: one operator.
#include "compiler/layers/indices/gather.hpp"

#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> gather::output_dims(LayerContext const& context) const {
  auto dims = context.inputs[0];
  auto const along = axis_of(context, axis, dims);
  auto const picks = entries(context.inputs[1]);
  if (!along || !picks) return std::nullopt;
  if (dims.size() == 1) return std::vector<Dims>{context.inputs[1]};
  dims[*along] = *picks;
  return std::vector<Dims>{std::move(dims)};
}

void gather::lower(LoweringContext& lowering) const {
  auto const rank = static_cast<std::int64_t>(lowering.input_dims(0).size());
  auto const indices =
      lowering.reshape(lowering.input(1), batched(Dims{*entries(lowering.input_dims(1))}));
  lowering.output(
      0, gathered(lowering, lowering.input(0), indices, 1 + (axis < 0 ? axis + rank : axis), 1));
}

}  // namespace lbann::compiler::layers
