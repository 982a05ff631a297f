// Entries chosen by given probabilities: what categorical_random and discrete_random share.
#include "compiler/layers/random/chosen_by_probability.hpp"

#include "compiler/layers/random/random_numbers.hpp"
#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

TensorId chosen_by_probability(LoweringContext& lowering, std::int64_t count) {
  auto const n = *entries(lowering.input_dims(0));
  auto const probabilities = lowering.reshape(lowering.input(0), batched(Dims{n}));
  if (!lowering.training()) {
    auto const index = lowering.emit(operators::argmax{}, {probabilities})[0];
    return lowering.map(operand_itself(), {index}, batched(Dims{count}));
  }
  auto const sums = lowering.emit(operators::cumulative_sum{}, {probabilities})[0];
  auto const number = drawn(lowering, operators::Distribution::uniform, 0, 1, "choice", {count});
  // As many entries stand before the chosen one as have sums not above the number.
  operators::reduce before;
  before.expression = expression_of(Function::less_equal, 2);
  before.shape = batched(Dims{count, n});
  before.axes = {2};
  before.compute = before.type = lowering.type();
  auto const index =
      lowering.emit(std::move(before), {lowering.reshape(sums, batched(Dims{1, n})),
                                        lowering.reshape(number, batched(Dims{count, 1}))})[0];
  ExpressionBuilder build;
  auto const last = build.constant(static_cast<double>(n - 1));
  return lowering.map(build.finish({build.apply(Function::minimum, {build.operand(0), last})}),
                      {index});
}

}  // namespace lbann::compiler::layers
