// The optimizer `hypergradient_adam`.
#include "compiler/optimizers/hypergradient_adam.hpp"

#include "schemas/expression/builder.hpp"
#include "schemas/functions/list.hpp"

namespace lbann::compiler::optimizers {

std::vector<MomentInfo> hypergradient_adam::moments() const {
  return {{"mean"}, {"mean_square"}, {"direction"}};
}

std::vector<CounterInfo> hypergradient_adam::counters() const {
  return {{"beta1_power", beta1}, {"beta2_power", beta2}};
}

void hypergradient_adam::update(Updating& updating) const {
  ExpressionBuilder learning;
  updating.set_learning_rate(
      learning.finish({learning.operand(0) + learning.operand(1) * hyper_learning_rate}),
      {updating.learning_rate(), updating.inner_product(updating.gradient(), updating.moment(2))});

  ExpressionBuilder scalar;
  auto const unbiased = scalar.apply(Function::sqrt, {1.0 - scalar.operand(1)});
  auto const correction = updating.scalar(scalar.finish({unbiased / (1.0 - scalar.operand(0))}),
                                          {updating.counter(0), updating.counter(1)});

  ExpressionBuilder build;
  auto const w = build.operand(0), g = build.operand(1) + eps, rate = build.operand(2);
  auto const mean = build.operand(4) * beta1 + g * (1 - beta1);
  auto const square = build.operand(5) * beta2 + g * g * (1 - beta2);
  auto const direction = build.operand(3) * mean / (build.apply(Function::sqrt, {square}) + eps);
  updating.update(build.finish({w - rate * direction, mean, square, direction}),
                  {updating.weights(), updating.gradient(), updating.learning_rate(), correction,
                   updating.moment(0), updating.moment(1)},
                  {updating.weights(), updating.moment(0), updating.moment(1), updating.moment(2)});
}

}  // namespace lbann::compiler::optimizers
