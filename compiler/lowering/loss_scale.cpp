// The loss scale of mixed precision with f16.
#include "compiler/lowering/loss_scale.hpp"

#include <limits>

#include "schemas/expression/function_list.hpp"

namespace lbann::compiler {

TensorId gradients_are_finite(Compilation const& compilation, Emitter& emitter) {
  auto const& state = compilation.state;
  Origin const origin{"loss_scale", {}, compilation.experiment.loss_scale->span};
  // How many entries are not finite, in maps of at most `max_operands` operands.
  std::vector<TensorId> counts;
  for (auto const gradient : state.gradients) {
    if (!gradient.valid()) continue;
    ExpressionBuilder build;
    auto const infinity = build.constant(std::numeric_limits<double>::infinity());
    auto const finite =
        build.apply(Function::less, {build.apply(Function::abs, {build.operand(0)}), infinity});
    counts.push_back(emitter.total(build.finish({build.apply(Function::logical_not, {finite})}),
                                   {gradient}, origin, "loss_scale"));
  }
  TensorId total;
  for (std::size_t next = 0; next < counts.size();) {
    ExpressionBuilder build;
    std::vector<TensorId> inputs;
    if (total.valid()) inputs.push_back(total);
    while (next < counts.size() && inputs.size() < max_operands) inputs.push_back(counts[next++]);
    auto sum = build.operand(0);
    for (std::size_t i = 1; i < inputs.size(); ++i) sum = sum + build.operand(i);
    if (next == counts.size()) sum = build.apply(Function::equal, {sum, build.constant(0)});
    total = emitter.scalar(build.finish({sum}), std::move(inputs), origin, "loss_scale");
  }
  return total;
}

void adapt_loss_scale(Compilation const& compilation, Emitter& emitter, TensorId finite) {
  auto const& state = compilation.state;
  auto const& rule = *compilation.experiment.loss_scale;
  // Normal numbers of f32, so that gradients are divided by what they were multiplied by.
  constexpr double least = 0x1p-126, largest = 0x1p127;
  auto const assign = [&](TensorId target, std::vector<TensorId> inputs, auto const& value) {
    ExpressionBuilder build;
    emitter.scalar_to(target, build.finish({value(build)}), std::move(inputs),
                      compilation.program[target].origin);
  };
  // Whether the scale grows after this step; operand `steps` is `finite_steps`.
  auto const due = [&](ExpressionBuilder& build, std::size_t steps) {
    return build.apply(
        Function::less_equal,
        {build.constant(static_cast<double>(rule.growth_interval)), build.operand(steps) + 1.0});
  };
  assign(state.loss_scale, {state.loss_scale, finite, state.finite_steps},
         [&](ExpressionBuilder& build) {
           auto const scale = build.operand(0);
           auto const grown =
               build.apply(Function::minimum, {scale * rule.growth, build.constant(largest)});
           auto const fallen =
               build.apply(Function::maximum, {scale * rule.backoff, build.constant(least)});
           return build.apply(
               Function::select,
               {build.operand(1), build.apply(Function::select, {due(build, 2), grown, scale}),
                fallen});
         });
  assign(state.finite_steps, {state.finite_steps, finite}, [&](ExpressionBuilder& build) {
    auto const counted =
        build.apply(Function::select, {due(build, 0), build.constant(0), build.operand(0) + 1.0});
    return build.apply(Function::select, {build.operand(1), counted, build.constant(0)});
  });
  assign(state.skipped_steps, {state.skipped_steps, finite}, [](ExpressionBuilder& build) {
    return build.operand(0) + (build.constant(1) - build.operand(1));
  });
}

}  // namespace lbann::compiler
