// The layer `reduction`: a sum, and a factor for the mean.
#include "compiler/layers/statistics/reduction.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> reduction::output_dims(LayerContext const& context) const {
  return one_number(context);
}

void reduction::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.input_dims(0);
  auto const sum = sum_over_sample(lowering, operand_itself(), {lowering.input(0)}, dims);
  if (mode == ReductionMode::sum) return lowering.output(0, sum);
  lowering.output(0, scaled(lowering, sum, 1 / static_cast<double>(*entries(dims))));
}

}  // namespace lbann::compiler::layers
