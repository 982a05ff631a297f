// A graph as callbacks see it.
#pragma once

#include "compiler/graph/graph.hpp"
#include "schemas/callbacks/model_view.hpp"

namespace lbann::compiler {

/// Layers and weights of a graph whose shapes and weights are known. It points into `graph`.
callbacks::ModelView model_view(Graph const& graph, Experiment const& experiment);

}  // namespace lbann::compiler
