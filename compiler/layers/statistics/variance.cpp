// The layer `variance`: moments of each sample.
#include "compiler/layers/statistics/variance.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> variance::output_dims(LayerContext const& context) const {
  if (!enough_entries(context, biased)) return std::nullopt;
  return one_number(context);
}

void variance::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.input_dims(0);
  operators::moments moments;
  for (auto const axis : axes_from(dims)) moments.axes.push_back(1 + axis);
  auto const squares = lowering.emit(std::move(moments), {lowering.input(0)})[2];
  auto const divisor = static_cast<double>(*entries(dims) - (biased ? 0 : 1));
  lowering.output(0, scaled(lowering, squares, 1 / divisor));
}

}  // namespace lbann::compiler::layers
