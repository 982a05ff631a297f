// Adding layers the user did not write.
#include "compiler/graph/insert.hpp"

namespace lbann::compiler {

LayerInserter::LayerInserter(Graph& graph, LayerType const& type, std::string suffix,
                             std::string pass)
    : graph_(graph), type_(type), suffix_(std::move(suffix)), pass_(std::move(pass)) {}

LayerId LayerInserter::insert(LayerId cause) {
  if (names_.empty())
    for (auto const& layer : graph_.layers) names_.insert(layer.name);
  GraphLayer layer;
  auto const base = graph_[cause].name + suffix_;
  layer.name = base;
  for (int number = 2; !names_.insert(layer.name).second; ++number)
    layer.name = base + std::to_string(number);
  layer.type = &type_;
  layer.declaration = default_declaration(type_.declaration);
  layer.declaration.span = graph_[cause].span;
  layer.declaration.type_span = graph_[cause].span;
  layer.datatype = graph_[cause].datatype;
  layer.inserted_by = pass_;
  layer.span = graph_[cause].span;
  graph_.layers.push_back(std::move(layer));
  return LayerId(graph_.layers.size() - 1);
}

}  // namespace lbann::compiler
