// Pass: dummy layers for outputs that no layer takes, as LBANN appends them.
#include "compiler/graph/insert.hpp"
#include "compiler/passes/graph_passes.hpp"

namespace lbann::compiler {

void insert_dummy_layers(Compilation& compilation) {
  auto& graph = compilation.graph;
  LayerInserter inserter(graph, *compilation.layer_types.find("dummy"), "_dummy",
                         "insert_dummy_layers");
  auto const count = graph.layers.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto const least = static_cast<std::size_t>(graph.layers[i].type->children.least);
    if (graph.layers[i].children.size() < least) graph.layers[i].children.resize(least);
    for (std::size_t output = 0; output < graph.layers[i].children.size(); ++output) {
      if (graph.layers[i].children[output].valid()) continue;
      auto const dummy = inserter.insert(LayerId(i));
      graph[dummy].parents = {
          {LayerId(i), static_cast<std::uint32_t>(output), graph.layers[i].span}};
      graph.layers[i].children[output] = dummy;
    }
  }
}

}  // namespace lbann::compiler
