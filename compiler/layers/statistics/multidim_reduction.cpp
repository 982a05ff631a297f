// The layer `multidim_reduction`: one reduction.
#include "compiler/layers/statistics/multidim_reduction.hpp"

#include <algorithm>

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> multidim_reduction::output_dims(
    LayerContext const& context) const {
  for (auto const axis : axes)
    if (!own_axis(context, "axes", axis)) return std::nullopt;
  Dims kept;
  auto const& dims = context.inputs[0];
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (std::ranges::find(axes, static_cast<std::int64_t>(i)) == axes.end())
      kept.push_back(dims[i]);
  if (kept.empty()) kept = {1};
  return std::vector<Dims>{std::move(kept)};
}

void multidim_reduction::lower(LoweringContext& lowering) const {
  auto ascending = axes;
  std::ranges::sort(ascending);
  auto const repeated = std::ranges::unique(ascending);
  ascending.erase(repeated.begin(), repeated.end());
  lowering.output(0, reduced(lowering, mode, operand_itself(), {lowering.input(0)},
                             lowering.input_dims(0), ascending));
}

}  // namespace lbann::compiler::layers
