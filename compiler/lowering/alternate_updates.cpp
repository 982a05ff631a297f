// Two groups of weights that are trained in turn.
#include "compiler/lowering/callback_targets.hpp"
#include "compiler/lowering/step_rules.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler {

void apply(callbacks::alternate_updates const& fields, TensorId turn, StepRules& rules) {
  auto const [first, second] = alternate_weights(rules.compilation().graph, fields);
  auto const active = [&](bool is_first) {
    ExpressionBuilder build;
    auto const now = build.operand(0), end = build.constant(static_cast<double>(fields.iters_1));
    auto const whose = is_first ? build.apply(Function::less, {now, end})
                                : build.apply(Function::less_equal, {end, now});
    return rules.emitter().scalar(build.finish({whose}), {turn},
                                  rules.compilation().program[turn].origin,
                                  "alternate_updates.update");
  };
  if (!first.empty())
    for (auto const now = active(true); auto const id : first)
      rules.multiply(rules[id].active, now, id);
  if (!second.empty())
    for (auto const now = active(false); auto const id : second)
      rules.multiply(rules[id].active, now, id);
}

void advance(callbacks::alternate_updates const& fields, TensorId turn, Emitter& emitter) {
  ExpressionBuilder build;
  auto const next = build.operand(0) + 1.0;
  auto const all = build.constant(static_cast<double>(fields.iters_1 + fields.iters_2));
  auto const again = build.apply(
      Function::select, {build.apply(Function::less, {next, all}), next, build.constant(0)});
  emitter.scalar_to(turn, build.finish({again}), {turn}, emitter.program()[turn].origin);
}

}  // namespace lbann::compiler
