// Pass: every layer after its parents.
#include "compiler/passes/graph_passes.hpp"

namespace lbann::compiler {

namespace {

/// Layers in an order where parents and hints come first: a depth-first search that starts from the
/// layers in order of the text.
std::vector<LayerId> find_order(Graph const& graph) {
  struct Visit {
    LayerId layer;
    std::size_t next = 0;
  };
  std::vector<LayerId> order;
  std::vector<bool> seen(graph.layers.size());
  std::vector<Visit> stack;
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    if (seen[i]) continue;
    seen[i] = true;
    stack.push_back({LayerId(i)});
    while (!stack.empty()) {
      auto& [id, next] = stack.back();
      auto const& layer = graph[id];
      if (next == layer.parents.size() + (layer.hint ? 1 : 0)) {
        order.push_back(id);
        stack.pop_back();
        continue;
      }
      auto const parent = next < layer.parents.size() ? layer.parents[next].layer : *layer.hint;
      ++next;
      if (!seen[parent.index()]) {
        seen[parent.index()] = true;
        stack.push_back({parent});
      }
    }
  }
  return order;
}

}  // namespace

void order_layers(Compilation& compilation) {
  auto& graph = compilation.graph;
  auto const order = find_order(graph);
  std::vector<LayerId> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i].index()] = LayerId(i);
  std::vector<GraphLayer> layers;
  layers.reserve(order.size());
  for (auto const id : order) {
    auto& layer = layers.emplace_back(std::move(graph[id]));
    for (auto& edge : layer.parents) edge.layer = place[edge.layer.index()];
    for (auto& child : layer.children) child = place[child.index()];
    if (layer.hint) layer.hint = place[layer.hint->index()];
  }
  graph.layers = std::move(layers);
  for (auto& term : graph.objective_terms) term.evaluation = place[term.evaluation.index()];
  for (auto& metric : graph.metrics) {
    metric.layer = place[metric.layer.index()];
    metric.evaluation = place[metric.evaluation.index()];
  }
}

}  // namespace lbann::compiler
