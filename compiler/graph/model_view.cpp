// A graph as callbacks see it.
#include "compiler/graph/model_view.hpp"

namespace lbann::compiler {

namespace {

callbacks::ModelView::Numbers numbers_of(Declaration const& declaration) {
  callbacks::ModelView::Numbers numbers;
  for (auto const& [name, value] : declaration.type->record(declaration.object.get()).fields)
    if (auto const* number = std::get_if<double>(&value)) numbers.emplace_back(name, *number);
  return numbers;
}

}  // namespace

callbacks::ModelView model_view(Graph const& graph, Experiment const& experiment) {
  callbacks::ModelView model;
  model.has_objective = !graph.objective_terms.empty() || !graph.regularizations.empty();
  model.max_epochs = experiment.training.max_epochs;
  for (auto const& reader : experiment.readers) {
    auto const& declaration = reader.declaration;
    model.add_reader(reader.role, declaration.type == nullptr
                                      ? Record()
                                      : declaration.type->record(declaration.object.get()));
  }
  for (auto const& layer : graph.layers) {
    auto const* field = data_field_of(layer);
    model.layers.push_back({layer.name, layer.outputs, layer.weights, layer.declaration.type->name,
                            numbers_of(layer.declaration),
                            field != nullptr ? std::string_view(*field) : std::string_view()});
  }
  for (auto const& weights : graph.weights) {
    model.weights.push_back({weights.name, weights.dims, static_cast<bool>(weights.optimizer)});
    if (!weights.optimizer) continue;
    model.weights.back().optimizer = weights.optimizer.type->name;
    model.weights.back().numbers = numbers_of(weights.optimizer);
  }
  return model;
}

}  // namespace lbann::compiler
