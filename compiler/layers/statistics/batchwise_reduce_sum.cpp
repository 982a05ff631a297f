// The layer `batchwise_reduce_sum`: a sum over samples, spread over them again.
#include "compiler/layers/statistics/batchwise_reduce_sum.hpp"

#include "compiler/layers/expressions.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> batchwise_reduce_sum::output_dims(
    LayerContext const& context) const {
  return same_as_input(context);
}

void batchwise_reduce_sum::lower(LoweringContext& lowering) const {
  operators::reduce over_samples;
  over_samples.expression = operand_itself();
  over_samples.shape = batched(lowering.input_dims(0));
  over_samples.axes = {0};
  over_samples.compute = lowering.type();
  over_samples.type = lowering.type();
  auto const shape = over_samples.shape;
  auto const sum = lowering.emit(std::move(over_samples), {lowering.input(0)})[0];
  lowering.output(0, lowering.map(operand_itself(), {sum}, shape));
}

}  // namespace lbann::compiler::layers
