// The layer `covariance`: two means and one sum.
#include "compiler/layers/statistics/covariance.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> covariance::output_dims(LayerContext const& context) const {
  auto dims = one_number(context);
  if (!dims || !enough_entries(context, biased)) return std::nullopt;
  return dims;
}

void covariance::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.input_dims(0);
  auto const count = static_cast<double>(*entries(dims));
  std::vector<TensorId> inputs = {lowering.input(0), lowering.input(1)};
  for (std::size_t i = 0; i < 2; ++i) {
    auto const sum = sum_over_sample(lowering, operand_itself(), {inputs[i]}, dims);
    inputs.push_back(
        lowering.reshape(scaled(lowering, sum, 1 / count), batched(Dims(dims.size(), 1))));
  }
  ExpressionBuilder build;
  auto const x = build.operand(0) - build.operand(2), y = build.operand(1) - build.operand(3);
  auto const sum = sum_over_sample(lowering, build.finish({x * y}), std::move(inputs), dims);
  lowering.output(0, scaled(lowering, sum, 1 / (biased ? count : count - 1)));
}

}  // namespace lbann::compiler::layers
