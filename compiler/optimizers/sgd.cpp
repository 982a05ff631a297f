// The optimizer `sgd`.
#include "compiler/optimizers/sgd.hpp"

#include "schemas/expression/builder.hpp"

namespace lbann::compiler::optimizers {

std::vector<MomentInfo> sgd::moments() const {
  if (momentum == 0) return {};
  return {{"velocity"}};
}

std::vector<CounterInfo> sgd::counters() const { return {}; }

void sgd::update(OptimizerContext& context) const {
  ExpressionBuilder build;
  auto const w = build.operand(0), g = build.operand(1), rate = build.operand(2);
  if (momentum == 0)
    return context.update(build.finish({w - rate * g}),
                          {context.weights(), context.gradient(), context.learning_rate()},
                          {context.weights()});
  auto const v = build.operand(3) * momentum + g;
  auto const direction = nesterov ? v * momentum + g : v;
  context.update(
      build.finish({w - rate * direction, v}),
      {context.weights(), context.gradient(), context.learning_rate(), context.moment(0)},
      {context.weights(), context.moment(0)});
}

}  // namespace lbann::compiler::optimizers
