// The optimizer `adagrad`.
#include "compiler/optimizers/adagrad.hpp"

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler::optimizers {

std::vector<MomentInfo> adagrad::moments() const { return {{"square_sum"}}; }

std::vector<CounterInfo> adagrad::counters() const { return {}; }

void adagrad::update(OptimizerContext& context) const {
  ExpressionBuilder build;
  auto const w = build.operand(0), g = build.operand(1), rate = build.operand(2);
  auto const sum = build.operand(3) + g * g;
  auto const next = w - rate * g / (build.apply(Function::sqrt, {sum}) + eps);
  context.update(
      build.finish({next, sum}),
      {context.weights(), context.gradient(), context.learning_rate(), context.moment(0)},
      {context.weights(), context.moment(0)});
}

}  // namespace lbann::compiler::optimizers
