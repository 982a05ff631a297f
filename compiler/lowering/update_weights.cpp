// Pass: what callbacks and optimizers do with gradients and state, and the count of steps.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "compiler/lowering/callback_lowering.hpp"
#include "compiler/lowering/emitter.hpp"
#include "compiler/lowering/loss_scale.hpp"
#include "compiler/lowering/lowering_passes.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler {

namespace {

/// Scalars computed so far, for all weights whose optimizers want the same.
struct Computed {
  Expression expression;
  std::vector<TensorId> inputs;
  TensorId tensor;
};

class WeightsContext final : public OptimizerContext {
 public:
  WeightsContext(Compilation const& compilation, Emitter& emitter, std::vector<Computed>& computed,
                 WeightsId id, StepRule const& rule)
      : compilation_(compilation), emitter_(emitter), computed_(computed), id_(id), rule_(rule) {}

  DataType type() const override { return tensor().type.type; }
  Shape const& shape() const override { return tensor().type.shape; }
  TensorId weights() const override { return state().weights[id_.index()]; }
  TensorId gradient() const override { return state().gradients[id_.index()]; }
  TensorId learning_rate() override {
    auto const rate = state().learning_rates[id_.index()];
    if (!rule_.rate_factor.valid()) return rate;
    ExpressionBuilder build;
    return scalar(build.finish({build.operand(0) * build.operand(1)}), {rate, rule_.rate_factor});
  }
  TensorId moment(std::size_t slot) const override { return state().moments[id_.index()][slot]; }
  TensorId counter(std::size_t index) override {
    auto const power = state().counters[id_.index()][index];
    auto const& optimizer = compilation_.graph.weights[id_.index()].optimizer;
    auto const info = compilation_.optimizer_types.find(optimizer.type->name)
                          ->counters(optimizer.object.get())[index];
    auto const factor = hyperparameter(info.field);
    if (!factor.valid()) return power;
    ExpressionBuilder build;
    return scalar(build.finish({build.operand(0) * build.operand(1)}), {power, factor});
  }
  TensorId hyperparameter(std::string_view field) const override {
    return state().hyperparameter({callbacks::Hyperparameter::Of::weights, id_.index(), field});
  }

  void set_learning_rate(Expression expression, std::vector<TensorId> inputs) override {
    auto const rate = state().learning_rates[id_.index()];
    keep_if_inactive(expression, inputs, {rate});
    emitter_.scalar_to(rate, std::move(expression), std::move(inputs), tensor().origin);
  }

  TensorId inner_product(TensorId a, TensorId b) override {
    ExpressionBuilder build;
    return emitter_.total(build.finish({build.operand(0) * build.operand(1)}), {a, b},
                          tensor().origin, tensor().name + ".update");
  }

  TensorId scalar(Expression expression, std::vector<TensorId> inputs) override {
    for (auto const& known : computed_)
      if (known.expression == expression && known.inputs == inputs) return known.tensor;
    auto const made =
        emitter_.scalar(expression, inputs, tensor().origin, tensor().name + ".update");
    computed_.push_back({std::move(expression), std::move(inputs), made});
    return made;
  }

  void update(Expression expression, std::vector<TensorId> inputs,
              std::vector<TensorId> outputs) override {
    keep_if_inactive(expression, inputs, outputs);
    operators::map map;
    map.expression = std::move(expression);
    map.shape = shape();
    map.compute = type();
    map.types.assign(outputs.size(), type());
    inputs.resize(map.expression.operand_count());  // e.g. adam with beta2 0 needs no mean square
    emitter_.emit_to(std::move(outputs), std::move(map), std::move(inputs), tensor().origin);
  }

 private:
  /// Makes the outputs of `expression` what `outputs` hold where it is not these weights' turn.
  void keep_if_inactive(Expression& expression, std::vector<TensorId>& inputs,
                        std::vector<TensorId> const& outputs) const {
    if (!rule_.active.valid()) return;
    inputs.resize(expression.operand_count());
    auto const operand_of = [&](TensorId id) {
      auto const found = std::ranges::find(inputs, id);
      if (found == inputs.end()) return inputs.push_back(id), inputs.size() - 1;
      return static_cast<std::size_t>(found - inputs.begin());
    };
    ExpressionBuilder build;
    std::vector<Term> operands, kept;
    for (std::size_t i = 0; i < inputs.size(); ++i) operands.push_back(build.operand(i));
    auto const active = build.operand(operand_of(rule_.active));
    auto const values = build.inlined(expression, operands);
    for (std::size_t o = 0; o < outputs.size(); ++o)
      kept.push_back(build.apply(Function::select,
                                 {active, values[o], build.operand(operand_of(outputs[o]))}));
    expression = build.finish(kept);
  }

  ProgramState const& state() const { return compilation_.state; }
  Tensor const& tensor() const { return compilation_.program[weights()]; }

  Compilation const& compilation_;
  Emitter& emitter_;
  std::vector<Computed>& computed_;
  WeightsId id_;
  StepRule rule_;
};

/// Leaves weights and optimizers as they are where `finite` is 0.
void skip_unless(TensorId finite, std::vector<StepRule>& rules, Emitter& emitter) {
  std::map<TensorId, TensorId> both;
  for (auto& rule : rules) {
    if (!rule.active.valid()) {
      rule.active = finite;
      continue;
    }
    auto const [known, is_new] = both.try_emplace(rule.active);
    if (is_new) {
      ExpressionBuilder build;
      known->second = emitter.scalar(build.finish({build.operand(0) * build.operand(1)}),
                                     {rule.active, finite}, {}, "loss_scale");
    }
    rule.active = known->second;
  }
}

}  // namespace

void update_weights(Compilation& compilation) {
  auto const& state = compilation.state;
  auto const& graph = compilation.graph;
  TensorNames names(compilation.program);
  Emitter emitter(compilation.program, names, "train", "update_weights");
  // Gradients as they are, before callbacks clip them.
  auto const finite =
      state.loss_scale.valid() ? gradients_are_finite(compilation, emitter) : TensorId{};
  auto rules = LoweredCallbacks(compilation, names, "update_weights").lower_all();
  if (finite.valid()) {
    skip_unless(finite, rules, emitter);
    adapt_loss_scale(compilation, emitter, finite);
  }
  auto type_of = [&](GraphWeights const& weights) -> OptimizerType const& {
    return *compilation.optimizer_types.find(weights.optimizer.type->name);
  };
  std::vector<Computed> computed;
  for (std::size_t i = 0; i < graph.weights.size(); ++i) {
    auto const& weights = graph.weights[i];
    if (!weights.optimizer) continue;
    WeightsContext context(compilation, emitter, computed, WeightsId(i), rules[i]);
    type_of(weights).update(weights.optimizer.object.get(), context);
  }
  std::unordered_set<TensorId> done;
  for (std::size_t i = 0; i < graph.weights.size(); ++i) {
    auto const& weights = graph.weights[i];
    if (!weights.optimizer) continue;
    auto const counters = type_of(weights).counters(weights.optimizer.object.get());
    auto const active = rules[i].active;
    for (std::size_t k = 0; k < counters.size(); ++k) {
      auto const tensor = state.counters[i][k];
      if (!done.insert(tensor).second) continue;
      ExpressionBuilder build;
      std::vector<TensorId> inputs = {tensor};
      auto const operand = [&](TensorId id) {
        inputs.push_back(id);
        return build.operand(inputs.size() - 1);
      };
      auto const factor = state.hyperparameter(counters[k].parameter(WeightsId(i)));
      auto const now = build.operand(0);
      auto next = now * (factor.valid() ? operand(factor) : build.constant(counters[k].factor));
      // It stays where it is not the weights' turn.
      if (active.valid()) next = build.apply(Function::select, {operand(active), next, now});
      emitter.scalar_to(tensor, build.finish({next}), std::move(inputs),
                        compilation.program[tensor].origin);
    }
  }
  ExpressionBuilder build;
  emitter.scalar_to(state.step, build.finish({build.operand(0) + 1.0}), {state.step}, {});
}

}  // namespace lbann::compiler
