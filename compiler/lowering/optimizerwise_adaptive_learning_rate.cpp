// Steps scaled by the ratio of the norms of weights and gradient.
#include "compiler/lowering/callback_targets.hpp"
#include "compiler/lowering/step_rules.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler {

void apply(callbacks::optimizerwise_adaptive_learning_rate const& fields, StepRules& rules) {
  ExpressionBuilder build;
  auto const weights = build.operand(0), gradient = build.operand(1), zero = build.constant(0);
  auto const known =
      build.apply(Function::logical_and, {build.apply(Function::less, {zero, weights}),
                                          build.apply(Function::less, {zero, gradient})});
  auto const ratio =
      build.apply(Function::sqrt, {weights}) / build.apply(Function::sqrt, {gradient});
  auto const factor = build.finish(
      {build.apply(Function::select, {known, ratio * fields.scale, build.constant(1)})});
  for (auto const id : trained_weights(rules.compilation().graph, fields.weights))
    rules.multiply(
        rules[id].rate_factor,
        rules.scalar(factor, {rules.weights_squares(id), rules.gradient_squares(id)}, id), id);
}

}  // namespace lbann::compiler
