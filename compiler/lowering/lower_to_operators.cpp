// Pass: from layers, objective and metrics to operators, for each entry point.
#include "compiler/lowering/declare_state.hpp"
#include "compiler/lowering/layer_lowering.hpp"
#include "compiler/lowering/lowering_passes.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler {

namespace {

/// One of the entry points with a forward pass.
class ForwardLowering {
 public:
  ForwardLowering(Compilation& compilation, TensorNames& names, bool training)
      : compilation_(compilation),
        training_(training),
        emitter_(compilation.program, names, training ? "train" : "evaluate", "lower_to_operators"),
        layers_(compilation.graph, compilation.state, compilation.experiment.type, emitter_,
                training) {}

  void lower();

 private:
  /// A summand of the objective: `factor` times a scalar, over the mini-batch's size if `mean`.
  struct Summand {
    TensorId value;
    double factor = 1;
    bool mean = true;
  };

  std::vector<Summand> summands();
  TensorId sum_of_squares(WeightsId id, Span span);
  void objective(std::vector<Summand> const& summands);
  void add_to(TensorId sum, TensorId value, bool times_mini_batch);
  void metric(std::size_t index);

  Compilation& compilation_;
  bool training_;
  Emitter emitter_;
  LayerLowering layers_;
};

TensorId ForwardLowering::sum_of_squares(WeightsId id, Span span) {
  ExpressionBuilder build;
  auto const& name = compilation_.graph.weights[id.index()].name;
  return emitter_.total(build.finish({build.apply(Function::square, {build.operand(0)})}),
                        {compilation_.state.weights[id.index()]}, {name, {}, span},
                        (training_ ? "" : "evaluate.") + name);
}

std::vector<ForwardLowering::Summand> ForwardLowering::summands() {
  std::vector<Summand> summands;
  for (auto const& term : compilation_.graph.objective_terms)
    summands.push_back({layers_.value_of(term.evaluation), term.scale_factor, true});
  for (auto const& term : compilation_.graph.regularizations)
    for (auto const id : term.weights)
      summands.push_back({sum_of_squares(id, term.span), 0.5 * term.scale_factor, false});
  return summands;
}

/// value = sum of factor * (mean of) value, in maps of at most `max_operands` operands; the sum
/// over samples grows by value * mini-batch.
void ForwardLowering::objective(std::vector<Summand> const& summands) {
  auto const& state = compilation_.state;
  auto const origin = compilation_.program[state.objective.step_value].origin;
  std::size_t next = 0;
  TensorId total;
  do {
    ExpressionBuilder build;
    std::vector<TensorId> inputs = {state.mini_batch};
    auto sum = build.constant(0);
    if (total.valid()) {
      inputs.push_back(total);
      sum = build.operand(1);
    }
    for (; next < summands.size() && inputs.size() < max_operands; ++next) {
      auto value = build.operand(inputs.size()) * summands[next].factor;
      if (summands[next].mean) value = value / build.operand(0);
      sum = next == 0 ? value : sum + value;
      inputs.push_back(summands[next].value);
    }
    auto expression = build.finish({sum});
    inputs.resize(expression.operand_count());
    if (training_ && next == summands.size())
      emitter_.scalar_to(total = state.objective.step_value, std::move(expression),
                         std::move(inputs), origin);
    else
      total = emitter_.scalar(std::move(expression), std::move(inputs), origin,
                              training_ ? "objective" : "evaluate.objective");
  } while (next < summands.size());
  if (!training_) compilation_.state.evaluated_objective = total;
  add_to(training_ ? state.objective.train_sum : state.objective.evaluate_sum, total, true);
}

void ForwardLowering::add_to(TensorId sum, TensorId value, bool times_mini_batch) {
  ExpressionBuilder build;
  auto addend = build.operand(1);
  std::vector<TensorId> inputs = {sum, value};
  if (times_mini_batch) {
    addend = addend * build.operand(2);
    inputs.push_back(compilation_.state.mini_batch);
  }
  emitter_.scalar_to(sum, build.finish({build.operand(0) + addend}), std::move(inputs),
                     compilation_.program[sum].origin);
}

void ForwardLowering::metric(std::size_t index) {
  auto const& sums = compilation_.state.metrics[index];
  auto const value = layers_.value_of(compilation_.graph.metrics[index].evaluation);
  add_to(training_ ? sums.train_sum : sums.evaluate_sum, value, false);
  if (!training_) return;
  ExpressionBuilder build;
  emitter_.scalar_to(sums.step_value, build.finish({build.operand(0) / build.operand(1)}),
                     {value, compilation_.state.mini_batch},
                     compilation_.program[sums.step_value].origin);
}

void ForwardLowering::lower() {
  for (std::size_t i = 0; i < compilation_.graph.layers.size(); ++i) layers_.lower(LayerId(i));
  auto& state = compilation_.state;
  (training_ ? state.outputs : state.evaluated_outputs) = layers_.outputs();
  if (training_) state.updates = layers_.updates();
  objective(summands());
  for (std::size_t i = 0; i < compilation_.graph.metrics.size(); ++i) metric(i);
}

}  // namespace

void lower_to_operators(Compilation& compilation) {
  TensorNames names;
  compilation.state = declare_state(compilation, names);
  lower_initialize(compilation, names);
  ForwardLowering(compilation, names, true).lower();
  ForwardLowering(compilation, names, false).lower();
}

}  // namespace lbann::compiler
