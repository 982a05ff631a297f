// The optimizer `hypergradient_adam`.
#include "compiler/optimizers/hypergradient_adam.hpp"

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler::optimizers {

std::vector<MomentInfo> hypergradient_adam::moments() const {
  return {{"mean"}, {"mean_square"}, {"direction"}};
}

std::vector<CounterInfo> hypergradient_adam::counters() const {
  return {{"beta1_power", beta1, "beta1"}, {"beta2_power", beta2, "beta2"}};
}

void hypergradient_adam::update(OptimizerContext& context) const {
  ExpressionBuilder learning;
  context.set_learning_rate(
      learning.finish({learning.operand(0) + learning.operand(1) * hyper_learning_rate}),
      {context.learning_rate(), context.inner_product(context.gradient(), context.moment(2))});

  ExpressionBuilder scalar;
  auto const unbiased = scalar.apply(Function::sqrt, {1.0 - scalar.operand(1)});
  auto const correction = context.scalar(scalar.finish({unbiased / (1.0 - scalar.operand(0))}),
                                         {context.counter(0), context.counter(1)});

  ExpressionBuilder build;
  auto const w = build.operand(0), g = build.operand(1) + eps, rate = build.operand(2);
  auto const mean = build.operand(4) * beta1 + g * (1 - beta1);
  auto const square = build.operand(5) * beta2 + g * g * (1 - beta2);
  auto const direction = build.operand(3) * mean / (build.apply(Function::sqrt, {square}) + eps);
  context.update(build.finish({w - rate * direction, mean, square, direction}),
                 {context.weights(), context.gradient(), context.learning_rate(), correction,
                  context.moment(0), context.moment(1)},
                 {context.weights(), context.moment(0), context.moment(1), context.moment(2)});
}

}  // namespace lbann::compiler::optimizers
