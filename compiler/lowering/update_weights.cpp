// Pass: what optimizers do with the gradients, and the count of steps.
#include <unordered_set>

#include "compiler/lowering/emitter.hpp"
#include "compiler/lowering/lowering_passes.hpp"

namespace lbann::compiler {

namespace {

/// Scalars computed so far, for all weights whose optimizers want the same.
struct Computed {
  Expression expression;
  std::vector<TensorId> inputs;
  TensorId tensor;
};

class WeightsUpdating final : public Updating {
 public:
  WeightsUpdating(Compilation const& compilation, Emitter& emitter, std::vector<Computed>& computed,
                  WeightsId id)
      : compilation_(compilation), emitter_(emitter), computed_(computed), id_(id) {}

  DataType type() const override { return tensor().type.type; }
  Shape const& shape() const override { return tensor().type.shape; }
  TensorId weights() const override { return state().weights[id_.index()]; }
  TensorId gradient() const override { return state().gradients[id_.index()]; }
  TensorId learning_rate() const override { return state().learning_rates[id_.index()]; }
  TensorId moment(std::size_t slot) const override { return state().moments[id_.index()][slot]; }
  TensorId counter(std::size_t index) const override {
    return state().counters[id_.index()][index];
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
    operators::map map;
    map.expression = std::move(expression);
    map.shape = shape();
    map.compute = type();
    map.types.assign(outputs.size(), type());
    inputs.resize(map.expression.operand_count());  // e.g. adam with beta2 0 needs no mean square
    emitter_.emit_to(std::move(outputs), std::move(map), std::move(inputs), tensor().origin);
  }

 private:
  ProgramState const& state() const { return compilation_.state; }
  Tensor const& tensor() const { return compilation_.program[weights()]; }

  Compilation const& compilation_;
  Emitter& emitter_;
  std::vector<Computed>& computed_;
  WeightsId id_;
};

Expression scaled(double factor) {
  ExpressionBuilder build;
  return build.finish({build.operand(0) * factor});
}

}  // namespace

void update_weights(Compilation& compilation) {
  auto const& state = compilation.state;
  auto const& graph = compilation.graph;
  TensorNames names;  // no other tensor is called `<weights>.update/...`
  Emitter emitter(compilation.program, names, "train", "update_weights");
  auto type_of = [&](GraphWeights const& weights) -> OptimizerType const& {
    return *compilation.optimizer_types.find(weights.optimizer.type->name);
  };
  std::unordered_set<TensorId> counted;
  for (std::size_t i = 0; i < graph.weights.size(); ++i) {
    auto const& weights = graph.weights[i];
    if (!weights.optimizer) continue;
    auto const counters = type_of(weights).counters(weights.optimizer.object.get());
    for (std::size_t k = 0; k < counters.size(); ++k)
      if (auto const tensor = state.counters[i][k]; counted.insert(tensor).second)
        emitter.scalar_to(tensor, scaled(counters[k].factor), {tensor},
                          compilation.program[tensor].origin);
  }
  std::vector<Computed> computed;
  for (std::size_t i = 0; i < graph.weights.size(); ++i) {
    auto const& weights = graph.weights[i];
    if (!weights.optimizer) continue;
    WeightsUpdating updating(compilation, emitter, computed, WeightsId(i));
    type_of(weights).update(weights.optimizer.object.get(), updating);
  }
  ExpressionBuilder build;
  emitter.scalar_to(state.step, build.finish({build.operand(0) + 1.0}), {state.step}, {});
}

}  // namespace lbann::compiler
