// From the finished program to the plan: what the runtime reads beside it.
#include "compiler/lowering/lower.hpp"

#include "compiler/graph/check_callbacks.hpp"
#include "compiler/graph/model_view.hpp"

namespace lbann::compiler {

namespace {

Measure measure_of(std::string name, std::string unit, ProgramState::Sums const& sums) {
  return {std::move(name), std::move(unit), sums.step_value, sums.train_sum, sums.evaluate_sum};
}

LayerInfo layer_info(Graph const& graph, GraphLayer const& layer, DataType models) {
  LayerInfo info;
  info.name = layer.name;
  info.type = layer.type->declaration.name;
  for (auto const& edge : layer.parents) info.parents.push_back(graph[edge.layer].name);
  for (auto const child : layer.children) info.children.push_back(graph[child].name);
  for (auto const id : layer.weights) info.weights.push_back(graph.weights[id.index()].name);
  info.dims = layer.outputs;
  info.datatype = layer.datatype.value_or(models);
  info.inserted_by = layer.inserted_by;
  info.span = layer.span;
  return info;
}

WeightsInfo weights_info(Compilation const& compilation, std::size_t index) {
  auto const& weights = compilation.graph.weights[index];
  auto const& initializer = *compilation.initializer_types.find(weights.initializer.type->name);
  auto const* object = weights.initializer.object.get();
  auto const [data_field, statistic] = initializer.data_statistic(object);
  return {weights.name,
          weights.dims,
          compilation.state.weights[index],
          weights.optimizer ? std::string(weights.optimizer.type->name) : std::string(),
          compilation.state.learning_rates[index],
          weights.span,
          initializer.file(object),
          weights.inputs_first,
          data_field,
          statistic};
}

Declared declared(Declaration const& declaration) {
  return {declaration.type->record(declaration.object.get()), declaration.span};
}

DataSource data_source(ReaderEntry const& reader, ProgramState const& state) {
  DataSource source;
  source.role = reader.role;
  source.reader = declared(reader.declaration);
  for (auto const& entry : reader.transforms)
    source.transforms.push_back({entry.field, entry.phase, declared(entry.declaration)});
  source.datasets = reader.datasets;
  source.samples = reader.samples;
  for (auto const& [name, tensor] : state.fields)
    for (auto const& field : reader.fields)
      if (field.name.text == name) source.fields.push_back({name, field.dims, tensor});
  return source;
}

}  // namespace

Plan lower(Compilation&& compilation) {
  auto const& experiment = compilation.experiment;
  auto const& graph = compilation.graph;
  auto const& state = compilation.state;
  Plan plan;
  plan.experiment = experiment.name;
  plan.overrides = experiment.overrides;
  plan.type = experiment.type;
  plan.mini_batch_size = experiment.mini_batch_size;
  plan.accumulate = experiment.accumulate;
  plan.hydrogen_block_size = experiment.hydrogen_block_size;
  plan.random_seed = experiment.random_seed;
  plan.training = experiment.training;
  plan.program = std::move(compilation.program);
  plan.mini_batch = state.mini_batch;
  plan.first_sample = state.first_sample;
  plan.step_samples = state.step_samples;
  plan.samples_before = state.samples_before;
  plan.seed = state.seed;
  plan.step = state.step;
  plan.steps_per_epoch = state.steps_per_epoch;
  plan.epoch_samples = state.epoch_samples;
  plan.loss_scale = state.loss_scale;
  plan.skipped_steps = state.skipped_steps;
  plan.objective = measure_of("objective", "", state.objective);
  for (std::size_t i = 0; i < graph.metrics.size(); ++i)
    plan.metrics.push_back(
        measure_of(graph.metrics[i].name, graph.metrics[i].unit, state.metrics[i]));
  for (auto const& metric : experiment.external_metrics)
    plan.metrics.push_back({metric.name.text, "", {}, {}, {}, declared(metric.declaration)});
  for (std::size_t i = 0; i < graph.weights.size(); ++i)
    plan.weights.push_back(weights_info(compilation, i));
  for (auto const& layer : graph.layers) plan.layers.push_back(layer_info(graph, layer, plan.type));
  for (auto const& reader : experiment.readers) plan.data.push_back(data_source(reader, state));
  for (auto const* callback : all_callbacks(experiment)) {
    auto const* type = compilation.callback_types.find(callback->type->name);
    if (type->in_plan) plan.callbacks.push_back(declared(*callback));
    if (type->mini_batches != nullptr)
      plan.training.mini_batches = type->mini_batches(*callback, experiment.mini_batch_size);
    if (type->mixing == nullptr) continue;
    auto const mixing = type->mixing(callback->object.get(), model_view(graph, experiment));
    for (auto& source : plan.data)
      if (source.role == ExecutionMode::training && !mixing.fields.empty()) source.mixing = mixing;
  }
  plan.staging = experiment.staging;
  plan.mesh = experiment.mesh;
  plan.observations = state.observations;
  plan.outputs = state.model_outputs;
  return plan;
}

}  // namespace lbann::compiler
