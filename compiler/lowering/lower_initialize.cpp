// Entry point `initialize`: state as it is before the first step.
#include <unordered_set>

#include "compiler/lowering/declare_state.hpp"
#include "compiler/lowering/stable_hash.hpp"

namespace lbann::compiler {

namespace {

Expression constant(double value) {
  ExpressionBuilder build;
  return build.finish({build.constant(value)});
}

void fill_weights(Compilation& compilation, WeightsId id, Emitter& emitter) {
  auto const& state = compilation.state;
  auto const& weights = compilation.graph.weights[id.index()];
  auto const tensor = state.weights[id.index()];
  auto const& type = compilation.program[tensor].type;
  Origin const origin{weights.name, {}, weights.span};
  InitContext const context{type.shape,     type.type,       stable_hash(weights.name),
                            weights.fan_in, weights.fan_out, weights.width_dims};
  auto const& initializer = *compilation.initializer_types.find(weights.initializer.type->name);
  auto op = initializer.fill(weights.initializer.object.get(), context);
  if (!op) return;  // from a file or from the data
  std::vector<TensorId> inputs;
  // Drawn at step 0 for sample 0; `step` has just been written.
  if (std::holds_alternative<operators::random>(*op)) inputs = {state.seed, state.step, state.step};
  emitter.emit_to({tensor}, std::move(*op), std::move(inputs), origin);
}

void start_optimizer(Compilation& compilation, WeightsId id, Emitter& emitter,
                     std::unordered_set<TensorId>& started) {
  auto const& state = compilation.state;
  auto const& weights = compilation.graph.weights[id.index()];
  Origin const origin{weights.name, {}, weights.span};
  auto const& type = *compilation.optimizer_types.find(weights.optimizer.type->name);
  auto const* object = weights.optimizer.object.get();
  if (auto const rate = state.learning_rates[id.index()]; started.insert(rate).second)
    emitter.scalar_to(rate, constant(type.learning_rate(object)), {}, origin);
  for (auto const moment : state.moments[id.index()]) {
    auto const& moment_type = compilation.program[moment].type;
    operators::map zero;
    zero.expression = constant(0);
    zero.shape = moment_type.shape;
    zero.compute = moment_type.type;
    zero.types = {moment_type.type};
    emitter.emit_to({moment}, std::move(zero), {}, origin);
  }
  auto const counters = type.counters(object);
  for (std::size_t i = 0; i < counters.size(); ++i) {
    auto const tensor = state.counters[id.index()][i];
    if (!started.insert(tensor).second) continue;
    // A factor that varies is multiplied in when it is known, see `WeightsContext::counter`.
    bool const varies = state.hyperparameter(counters[i].parameter(id)).valid();
    emitter.scalar_to(tensor, constant(varies ? 1 : counters[i].factor), {}, origin);
  }
}

}  // namespace

void lower_initialize(Compilation& compilation, TensorNames& names) {
  auto const& state = compilation.state;
  Emitter emitter(compilation.program, names, "initialize", "lower_to_operators");
  emitter.scalar_to(state.step, constant(0), {}, {});
  if (auto const& scale = compilation.experiment.loss_scale) {
    auto const& origin = compilation.program[state.loss_scale].origin;
    emitter.scalar_to(state.loss_scale, constant(scale->initial), {}, origin);
    emitter.scalar_to(state.finite_steps, constant(0), {}, origin);
    emitter.scalar_to(state.skipped_steps, constant(0), {}, origin);
  }
  for (std::size_t i = 0; i < state.weights.size(); ++i)
    fill_weights(compilation, WeightsId(i), emitter);
  std::unordered_set<TensorId> started;
  for (std::size_t i = 0; i < state.weights.size(); ++i)
    if (compilation.graph.weights[i].optimizer)
      start_optimizer(compilation, WeightsId(i), emitter, started);
  auto start_sums = [&](ProgramState::Sums const& sums) {
    for (auto const sum : {sums.train_sum, sums.evaluate_sum})
      emitter.scalar_to(sum, constant(0), {}, compilation.program[sum].origin);
  };
  for (auto const& [parameter, tensor] : state.hyperparameters)
    emitter.scalar_to(tensor, constant(parameter.initial), {}, compilation.program[tensor].origin);
  start_sums(state.objective);
  for (auto const& sums : state.metrics) start_sums(sums);
}

}  // namespace lbann::compiler
