// The text form of graphs, written.
#include "compiler/declarations/value_text.hpp"
#include "compiler/graph/graph.hpp"

namespace lbann::compiler {

namespace {

std::string edge_text(Graph const& graph, Edge const& edge) {
  auto const& parent = graph[edge.layer];
  auto text = name_text(parent.name);
  if (parent.type && has_numbered_outputs(*parent.type) && edge.output != Edge::unnamed)
    text += ":" + std::to_string(edge.output);
  return text;
}

template <class Range, class Each>
std::string joined(Range const& range, Each each) {
  std::string text;
  for (auto const& element : range) text += (text.empty() ? "" : ", ") + each(element);
  return text;
}

std::string datatype_text(std::optional<DataType> type) {
  return type ? " datatype " + std::string(name_of(*type)) : "";
}

std::string layer_text(Graph const& graph, GraphLayer const& layer) {
  auto name_of = [&](LayerId id) { return id.valid() ? name_text(graph[id].name) : "-"; };
  auto text = "layer " + name_text(layer.name) + ": " + declaration_text(layer.declaration);
  if (!layer.parents.empty())
    text += " (" + joined(layer.parents, [&](auto& edge) { return edge_text(graph, edge); }) + ")";
  if (!layer.children.empty()) text += " -> " + joined(layer.children, name_of);
  if (!layer.outputs.empty())
    text += " dims " + joined(layer.outputs, [](Dims const& dims) { return to_text(dims); });
  if (!layer.weights.empty())
    text += " weights " + joined(layer.weights, [&](WeightsId id) {
              return name_text(graph.weights[id.index()].name);
            });
  if (!layer.weights_names.empty())
    text +=
        " given " + joined(layer.weights_names, [](auto& name) { return name_text(name.text); });
  if (layer.weights_of) text += " weights_of " + name_text(layer.weights_of->text);
  if (layer.hint) text += " hint " + name_of(*layer.hint);
  if (layer.freeze) text += " freeze";
  if (layer.recompute) text += " recompute";
  text += datatype_text(layer.datatype);
  if (!layer.inserted_by.empty()) text += " by " + layer.inserted_by;
  return text + "\n";
}

std::string weights_text(GraphWeights const& weights) {
  auto text = "weights " + name_text(weights.name) + ": " + to_text(weights.dims);
  if (weights.initializer) text += " initializer " + declaration_text(weights.initializer);
  if (weights.optimizer) text += " optimizer " + declaration_text(weights.optimizer);
  if (weights.fan_in != 0 || weights.fan_out != 0)
    text += " fans " + real_text(weights.fan_in) + ", " + real_text(weights.fan_out);
  if (weights.width_dims != 0) text += " width " + std::to_string(weights.width_dims);
  return text + datatype_text(weights.datatype) + "\n";
}

}  // namespace

std::string to_text(Graph const& graph) {
  std::string text;
  for (auto const& layer : graph.layers) text += layer_text(graph, layer);
  for (auto const& weights : graph.weights) text += weights_text(weights);
  for (auto const& term : graph.objective)
    text += "objective " + name_text(graph[term.layer].name) + " scale " +
            real_text(term.scale_factor) + "\n";
  for (auto const& term : graph.objective_terms)
    text += "term " + name_text(graph[term.evaluation].name) + " scale " +
            real_text(term.scale_factor) + "\n";
  for (auto const& term : graph.regularizations) {
    text += "l2 scale " + real_text(term.scale_factor);
    if (!term.names.empty())
      text += " given " + joined(term.names, [](auto& name) { return name_text(name.text); });
    if (!term.weights.empty())
      text += " weights " + joined(term.weights, [&](WeightsId id) {
                return name_text(graph.weights[id.index()].name);
              });
    text += "\n";
  }
  for (auto const& metric : graph.metrics) {
    text += "metric " + quoted_text(metric.name) + " unit " + quoted_text(metric.unit) + " of " +
            name_text(graph[metric.layer].name);
    if (metric.evaluation.valid()) text += " by " + name_text(graph[metric.evaluation].name);
    text += "\n";
  }
  return text;
}

}  // namespace lbann::compiler
