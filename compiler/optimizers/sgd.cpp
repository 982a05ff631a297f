// The optimizer `sgd`.
#include "compiler/optimizers/sgd.hpp"

#include "schemas/expression/builder.hpp"

namespace lbann::compiler::optimizers {

std::vector<MomentInfo> sgd::moments() const {
  if (momentum == 0) return {};
  return {{"velocity"}};
}

std::vector<CounterInfo> sgd::counters() const { return {}; }

void sgd::update(Updating& updating) const {
  ExpressionBuilder build;
  auto const w = build.operand(0), g = build.operand(1), rate = build.operand(2);
  if (momentum == 0)
    return updating.update(build.finish({w - rate * g}),
                           {updating.weights(), updating.gradient(), updating.learning_rate()},
                           {updating.weights()});
  auto const v = build.operand(3) * momentum + g;
  auto const direction = nesterov ? v * momentum + g : v;
  updating.update(
      build.finish({w - rate * direction, v}),
      {updating.weights(), updating.gradient(), updating.learning_rate(), updating.moment(0)},
      {updating.weights(), updating.moment(0)});
}

}  // namespace lbann::compiler::optimizers
