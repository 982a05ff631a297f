// What a graph must keep, as far as the passes that have run establish it.
#include "compiler/graph/verify.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace lbann::compiler {

namespace {

using Fault = std::optional<std::string>;

Fault check_names(Graph const& graph) {
  std::unordered_set<std::string_view> names;
  for (auto const& layer : graph.layers) {
    if (layer.type == nullptr) return "layer `" + layer.name + "` has no type";
    if (!names.insert(layer.name).second) return "two layers are called `" + layer.name + "`";
  }
  return std::nullopt;
}

/// Parents and children tell of the same edges, and of the outputs they belong to.
Fault check_edges(Graph const& graph, bool settled) {
  std::unordered_map<std::uint64_t, std::int64_t> edges;
  auto key = [](LayerId parent, LayerId child) {
    return (std::uint64_t{parent.value} << 32) | child.value;
  };
  for (std::size_t i = 0; i < graph.layers.size(); ++i)
    for (auto const child : graph.layers[i].children)
      if (child.valid()) {
        if (child.index() >= graph.layers.size())
          return "layer `" + graph.layers[i].name + "` has a child that is none";
        ++edges[key(LayerId(i), child)];
      }
  for (std::size_t i = 0; i < graph.layers.size(); ++i)
    for (auto const& edge : graph.layers[i].parents) {
      auto const& layer = graph.layers[i];
      if (edge.layer.index() >= graph.layers.size())
        return "layer `" + layer.name + "` has a parent that is none";
      auto const& parent = graph[edge.layer];
      if (--edges[key(edge.layer, LayerId(i))] < 0)
        return "layer `" + parent.name + "` does not know its child `" + layer.name + "`";
      bool const numbered = has_numbered_outputs(*parent.type);
      if (!numbered && edge.output != 0)
        return "layer `" + layer.name + "` takes an output that `" + parent.name + "` has not";
      if (settled && numbered &&
          (edge.output >= parent.children.size() || parent.children[edge.output] != LayerId(i)))
        return "layer `" + layer.name + "` and `" + parent.name + "` differ on outputs";
    }
  for (auto const& [pair, count] : edges)
    if (count != 0)
      return "layer `" + graph.layers[pair >> 32].name + "` has a child that does not know it";
  return std::nullopt;
}

Fault check_evaluations(Graph const& graph) {
  auto is_evaluation = [&](LayerId id) {
    return id.index() < graph.layers.size() && graph[id].type->measures;
  };
  if (!graph.objective.empty()) return "an objective has no evaluation layer";
  for (auto const& term : graph.objective_terms)
    if (!is_evaluation(term.evaluation)) return "an objective's term is no evaluation layer";
  for (auto const& metric : graph.metrics)
    if (!is_evaluation(metric.evaluation))
      return "metric `" + metric.name + "` has no evaluation layer";
  return std::nullopt;
}

Fault check_children(Graph const& graph, bool split) {
  for (auto const& layer : graph.layers) {
    auto const arity = layer.type->children;
    auto const count = static_cast<int>(layer.children.size());
    if (!std::ranges::all_of(layer.children, &LayerId::valid))
      return "an output of `" + layer.name + "` is taken by no layer";
    if (count < arity.least || (split && arity.most >= 0 && count > arity.most))
      return "layer `" + layer.name + "` has " + std::to_string(count) + " children";
  }
  return std::nullopt;
}

Fault check_order(Graph const& graph) {
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    auto const& layer = graph.layers[i];
    for (auto const& edge : layer.parents)
      if (edge.layer.index() >= i) return "layer `" + layer.name + "` stands before its parent";
    if (layer.hint && layer.hint->index() >= i)
      return "layer `" + layer.name + "` stands before its hint layer";
  }
  return std::nullopt;
}

Fault check_shapes(Graph const& graph) {
  for (auto const& layer : graph.layers) {
    auto const outputs = layer.type->children.most == 0      ? 0
                         : has_numbered_outputs(*layer.type) ? layer.children.size()
                                                             : 1;
    if (layer.outputs.size() != outputs)
      return "layer `" + layer.name + "` has " + std::to_string(layer.outputs.size()) + " shapes";
    for (auto const& dims : layer.outputs)
      if (!checked_product(dims) || std::ranges::any_of(dims, [](auto n) { return n < 1; }))
        return "layer `" + layer.name + "` gives " + to_text(dims);
  }
  return std::nullopt;
}

Fault check_weights(Graph const& graph) {
  for (auto const& layer : graph.layers)
    for (auto const id : layer.weights)
      if (id.index() >= graph.weights.size())
        return "layer `" + layer.name + "` has weights that are none";
  std::unordered_set<std::string_view> names;
  for (auto const& weights : graph.weights) {
    if (!names.insert(weights.name).second) return "two weights are called `" + weights.name + "`";
    if (weights.dims.empty()) return "weights `" + weights.name + "` have no dims";
    if (!weights.initializer) return "weights `" + weights.name + "` have no initializer";
  }
  for (auto const& term : graph.regularizations)
    for (auto const id : term.weights)
      if (id.index() >= graph.weights.size() || !graph.weights[id.index()].optimizer)
        return "weights that are not trained are regularized";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> verify(Graph const& graph,
                                  std::span<std::string_view const> established) {
  auto has = [&](std::string_view pass) {
    return std::ranges::find(established, pass) != established.end();
  };
  if (auto fault = check_names(graph)) return fault;
  if (auto fault = check_edges(graph, has("insert_identity_layers"))) return fault;
  if (has("insert_evaluation_layers"))
    if (auto fault = check_evaluations(graph)) return fault;
  if (has("insert_dummy_layers"))
    if (auto fault = check_children(graph, has("insert_split_layers"))) return fault;
  if (has("order_layers"))
    if (auto fault = check_order(graph)) return fault;
  if (has("infer_shapes"))
    if (auto fault = check_shapes(graph)) return fault;
  if (has("resolve_weights"))
    if (auto fault = check_weights(graph)) return fault;
  return std::nullopt;
}

}  // namespace lbann::compiler
