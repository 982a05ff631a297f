// Gradients scaled down where their norm is too large.
#include "compiler/lowering/callback_targets.hpp"
#include "compiler/lowering/step_rules.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler {

namespace {

/// The sum of the squares of all gradients of those whose turn it is.
TensorId squares_of_all(std::vector<WeightsId> const& weights, StepRules& rules) {
  TensorId sum;
  for (std::size_t next = 0; next < weights.size();) {
    ExpressionBuilder build;
    std::vector<TensorId> inputs;
    auto total = build.constant(0);
    if (sum.valid()) {
      inputs.push_back(sum);
      total = build.operand(0);
    }
    for (; next < weights.size() && inputs.size() + 2 <= max_operands; ++next) {
      auto square = build.operand(inputs.size());
      inputs.push_back(rules.gradient_squares(weights[next]));
      if (auto const active = rules[weights[next]].active; active.valid()) {
        square = build.apply(Function::select,
                             {build.operand(inputs.size()), square, build.constant(0)});
        inputs.push_back(active);
      }
      total = total + square;
    }
    sum = rules.scalar(build.finish({total}), std::move(inputs), weights[0]);
  }
  return sum;
}

}  // namespace

void apply(callbacks::clip_gradient_norm const& fields, StepRules& rules) {
  auto const weights = trained_weights(rules.compilation().graph, fields.weights);
  if (weights.empty()) return;
  ExpressionBuilder build;
  auto const norm = build.apply(Function::sqrt, {build.operand(0)});
  auto const value = build.constant(fields.value);
  auto const scale =
      build.finish({build.apply(Function::select, {build.apply(Function::less, {value, norm}),
                                                   value / norm, build.constant(1)})});
  auto const shared = fields.global_norm
                          ? rules.scalar(scale, {squares_of_all(weights, rules)}, weights[0])
                          : TensorId();
  for (auto const id : weights)
    rules.scale_gradient(
        id, fields.global_norm ? shared : rules.scalar(scale, {rules.gradient_squares(id)}, id));
}

}  // namespace lbann::compiler
