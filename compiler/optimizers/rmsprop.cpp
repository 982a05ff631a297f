// The optimizer `rmsprop`.
#include "compiler/optimizers/rmsprop.hpp"

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler::optimizers {

std::vector<MomentInfo> rmsprop::moments() const { return {{"mean_square"}}; }

std::vector<CounterInfo> rmsprop::counters() const { return {}; }

void rmsprop::update(OptimizerContext& context) const {
  ExpressionBuilder build;
  auto const w = build.operand(0), g = build.operand(1), rate = build.operand(2);
  auto const square = build.operand(3) * decay_rate + g * g * (1 - decay_rate);
  auto const next = w - rate * g / (build.apply(Function::sqrt, {square}) + eps);
  context.update(
      build.finish({next, square}),
      {context.weights(), context.gradient(), context.learning_rate(), context.moment(0)},
      {context.weights(), context.moment(0)});
}

}  // namespace lbann::compiler::optimizers
