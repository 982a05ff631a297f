// What callbacks make of the gradients and of the steps of optimizers.
#include "compiler/lowering/step_rules.hpp"

#include "compiler/graph/check_callbacks.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler {

StepRules::StepRules(Compilation const& compilation, Emitter& emitter)
    : compilation_(compilation),
      emitter_(emitter),
      rules_(compilation.graph.weights.size()),
      squares_(rules_.size()) {}

Origin StepRules::origin(WeightsId id) const {
  return compilation_.program[compilation_.state.weights[id.index()]].origin;
}

std::string StepRules::base(WeightsId id) const {
  return compilation_.graph.weights[id.index()].name + ".update";
}

TensorId StepRules::scalar(Expression expression, std::vector<TensorId> inputs, WeightsId id) {
  return emitter_.scalar(std::move(expression), std::move(inputs), origin(id), base(id));
}

void StepRules::multiply(TensorId& factor, TensorId other, WeightsId id) {
  ExpressionBuilder build;
  factor = factor.valid()
               ? scalar(build.finish({build.operand(0) * build.operand(1)}), {factor, other}, id)
               : other;
}

TensorId StepRules::square_sum(TensorId tensor, WeightsId id) {
  ExpressionBuilder build;
  return emitter_.total(build.finish({build.apply(Function::square, {build.operand(0)})}), {tensor},
                        origin(id), base(id));
}

TensorId StepRules::weights_squares(WeightsId id) {
  return square_sum(compilation_.state.weights[id.index()], id);
}

TensorId StepRules::gradient_squares(WeightsId id) {
  auto& known = squares_[id.index()];
  if (!known.valid()) known = square_sum(compilation_.state.gradients[id.index()], id);
  return known;
}

void StepRules::scale_gradient(WeightsId id, TensorId factor) {
  auto const gradient = compilation_.state.gradients[id.index()];
  auto const& type = compilation_.program[gradient].type;
  ExpressionBuilder build;
  operators::map map;
  map.expression = build.finish({build.operand(0) * build.operand(1)});
  map.shape = type.shape;
  map.compute = type.type;
  map.types = {type.type};
  emitter_.emit_to({gradient}, std::move(map), {gradient, factor}, origin(id));
  squares_[id.index()] = {};
}

std::vector<StepRule> emit_step_rules(Compilation const& compilation, Emitter& emitter) {
  StepRules rules(compilation, emitter);
  auto const all = all_callbacks(compilation.experiment);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (auto const turn = compilation.state.turns[i]; turn.valid())
      apply(all[i]->as<callbacks::alternate_updates>(), turn, rules);
  for (auto const* callback : all) {
    if (callback->type->name == callbacks::clip_gradient_norm::name)
      apply(callback->as<callbacks::clip_gradient_norm>(), rules);
    if (callback->type->name == callbacks::optimizerwise_adaptive_learning_rate::name)
      apply(callback->as<callbacks::optimizerwise_adaptive_learning_rate>(), rules);
  }
  return std::move(rules).take();
}

void emit_turns(Compilation const& compilation, Emitter& emitter) {
  auto const all = all_callbacks(compilation.experiment);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (auto const turn = compilation.state.turns[i]; turn.valid())
      advance(all[i]->as<callbacks::alternate_updates>(), turn, emitter);
}

}  // namespace lbann::compiler
