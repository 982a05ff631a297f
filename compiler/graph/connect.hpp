// Edges between layers, from the names the user wrote on either side.
#pragma once

#include <string_view>
#include <unordered_map>

#include "compiler/graph/graph.hpp"

namespace lbann::compiler {

/// Layers by name; the names live in the experiment.
using LayerNames = std::unordered_map<std::string_view, LayerId>;

/// The layer with this name, or nothing after reporting with the nearest names.
std::optional<LayerId> find_layer(Graph const& graph, LayerNames const& names, Name const& name,
                                  Report& report);

/// Fills parents, children and hints of all layers, and checks the number of parents of each.
void connect_layers(Experiment const& experiment, Graph& graph, LayerNames const& names,
                    Report& report);

}  // namespace lbann::compiler
