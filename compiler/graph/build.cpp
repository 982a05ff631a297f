// From the experiment to the graph: layers and weights by name, objective and metrics.
#include "compiler/graph/build.hpp"

#include <unordered_map>

#include "compiler/graph/connect.hpp"
#include "compiler/graph/cycles.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

/// False where a name is used twice: what names it says nothing, nor does what follows from it.
bool add_layers(Experiment const& experiment, LayerTypes const& types, Graph& graph,
                LayerNames& names, Report& report) {
  graph.layers.reserve(experiment.layers.size());
  bool good = true;
  for (auto const& entry : experiment.layers) {
    LayerId const id(graph.layers.size());
    auto const [known, added] = names.emplace(entry.name.text, id);
    if (!added) {
      good = false;
      report.add(diagnostics::duplicate_layer, entry.name.span, {entry.name.text})
          .labels.push_back({graph[known->second].span, "first used here"});
    }
    GraphLayer layer;
    layer.name = entry.name.text;
    layer.type = entry.declaration ? types.find(entry.declaration.type->name) : nullptr;
    layer.declaration = entry.declaration;
    layer.weights_names = entry.weights;
    layer.weights_of = entry.weights_of;
    layer.shares_as_part = entry.shares_as_part;
    layer.calls = entry.calls;
    layer.freeze = entry.freeze;
    layer.recompute = entry.recompute;
    layer.model_parallel = entry.model_parallel;
    layer.datatype = entry.datatype;
    layer.span = entry.name.span;
    graph.layers.push_back(std::move(layer));
  }
  return good;
}

/// What is not built is left out: the plan cannot be run anyway.
Declaration built(Declaration const& declaration) {
  bool const is = declaration && declaration.type->support == Support::implemented;
  return is ? declaration : Declaration{};
}

void add_weights(Experiment const& experiment, Graph& graph, Report& report) {
  std::unordered_map<std::string_view, Span> names;
  for (auto const& entry : experiment.weights) {
    auto const [known, added] = names.emplace(entry.name.text, entry.name.span);
    if (!added)
      report.add(diagnostics::duplicate_weights, entry.name.span, {entry.name.text})
          .labels.push_back({known->second, "first used here"});
    GraphWeights weights;
    weights.name = entry.name.text;
    weights.initializer = built(entry.initializer);
    weights.optimizer = built(entry.optimizer);
    weights.datatype = entry.datatype;
    weights.shards = entry.shards;
    weights.span = entry.name.span;
    graph.weights.push_back(std::move(weights));
  }
  std::vector<std::string_view> accepted;
  for (auto const& layer : graph.layers)
    for (auto const& name : layer.weights_names)
      if (!names.contains(name.text)) {
        if (accepted.empty())
          for (auto const& entry : experiment.weights) accepted.push_back(entry.name.text);
        report.add(diagnostics::unknown_weights, name.span, {name.text}).suggestions =
            nearest(name.text, accepted);
      }
}

void add_measures(Experiment const& experiment, Graph& graph, LayerNames const& names,
                  Report& report) {
  for (auto const& term : experiment.objective) {
    if (!term.layer) {
      graph.regularizations.push_back({term.scale_factor, {}, term.weights, term.span});
    } else if (auto const layer = find_layer(graph, names, *term.layer, report)) {
      graph.objective.push_back({*layer, term.scale_factor, term.layer->span});
    }
  }
  for (auto const& metric : experiment.metrics)
    if (auto const layer = find_layer(graph, names, metric.layer, report))
      graph.metrics.push_back({metric.name.text, metric.unit, *layer, {}, metric.layer.span});
}

}  // namespace

Graph build_graph(Experiment const& experiment, LayerTypes const& types, Report& report) {
  Graph graph;
  LayerNames names;
  if (experiment.layers.empty()) report.add(diagnostics::no_layers, experiment.layers_span);
  bool const unique = add_layers(experiment, types, graph, names, report);
  add_weights(experiment, graph, report);
  if (!unique) return graph;
  connect_layers(experiment, graph, names, report);
  add_measures(experiment, graph, names, report);
  report_cycles(graph, report);
  return graph;
}

}  // namespace lbann::compiler
