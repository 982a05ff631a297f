// The optimizer `adam`.
#include "compiler/optimizers/adam.hpp"

#include <limits>

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler::optimizers {

std::vector<MomentInfo> adam::moments() const { return {{"mean"}, {"mean_square"}}; }

std::vector<CounterInfo> adam::counters() const {
  return {{"beta1_power", beta1, "beta1"}, {"beta2_power", beta2, "beta2"}};
}

void adam::update(OptimizerContext& context) const {
  ExpressionBuilder scalar;
  auto const unbiased = scalar.apply(Function::sqrt, {1.0 - scalar.operand(2)});
  auto const rate = scalar.operand(0) * unbiased / (1.0 - scalar.operand(1));
  auto const corrected = context.scalar(
      scalar.finish({rate}), {context.learning_rate(), context.counter(0), context.counter(1)});

  ExpressionBuilder build;
  std::vector<TensorId> inputs = {context.weights(), context.gradient(), corrected,
                                  context.moment(0), context.moment(1)};
  // Numbers that a callback changes are operands.
  auto const number = [&](std::string_view field, double value) {
    auto const tensor = context.hyperparameter(field);
    if (!tensor.valid()) return build.constant(value);
    inputs.push_back(tensor);
    return build.operand(inputs.size() - 1);
  };
  auto const rest_of = [&](std::string_view field, Term kept, double value) {
    return context.hyperparameter(field).valid() ? 1.0 - kept : build.constant(1 - value);
  };
  auto const w = build.operand(0), g = build.operand(1), step = build.operand(2);
  auto const kept1 = number("beta1", beta1), kept2 = number("beta2", beta2);
  auto const mean = build.operand(3) * kept1 + g * rest_of("beta1", kept1, beta1);
  auto const square = build.operand(4) * kept2 + g * g * rest_of("beta2", kept2, beta2);
  auto next = w - step * mean / (build.apply(Function::sqrt, {square}) + number("eps", eps));
  if (adamw_weight_decay != 0) {
    inputs.push_back(context.learning_rate());
    next = next - build.operand(inputs.size() - 1) * adamw_weight_decay * w;
  }
  // What is not finite would stay in the means for ever.
  auto const bound = build.constant(std::numeric_limits<double>::infinity());
  auto const finite = build.apply(Function::less, {build.apply(Function::abs, {g}), bound});
  auto const unless_broken = [&](Term value, std::size_t old) {
    return build.apply(Function::select, {finite, value, build.operand(old)});
  };
  context.update(
      build.finish({unless_broken(next, 0), unless_broken(mean, 3), unless_broken(square, 4)}),
      std::move(inputs), {context.weights(), context.moment(0), context.moment(1)});
}

}  // namespace lbann::compiler::optimizers
