// Pass: a split layer where one output has several children, as LBANN inserts them. All children
// see the same: they stand in the order of the text, whatever order a list of `children` has.
#include <algorithm>

#include "compiler/graph/insert.hpp"
#include "compiler/passes/graph_passes.hpp"

namespace lbann::compiler {

void insert_split_layers(Compilation& compilation) {
  auto& graph = compilation.graph;
  LayerInserter inserter(graph, *compilation.layer_types.find("split"), "_split",
                         "insert_split_layers");
  auto const count = graph.layers.size();
  for (std::size_t i = 0; i < count; ++i) {
    LayerId const id(i);
    if (graph[id].type->children.most != 1 || graph[id].children.size() < 2) continue;
    auto const split = inserter.insert(id);
    graph[split].children = std::move(graph[id].children);
    std::ranges::sort(graph[split].children, {}, &LayerId::value);
    graph[split].parents = {{id, 0, graph[id].span}};
    graph[id].children = {split};
    // A child that takes the layer twice stands twice among the children: its edges follow in
    // order.
    for (std::size_t output = 0; output < graph[split].children.size(); ++output)
      for (auto& edge : graph[graph[split].children[output]].parents)
        if (edge.layer == id) {
          edge.layer = split;
          edge.output = static_cast<std::uint32_t>(output);
          break;
        }
  }
}

}  // namespace lbann::compiler
