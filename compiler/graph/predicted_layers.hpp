// Which layers are what a model predicts.
#pragma once

#include <vector>

#include "compiler/graph/graph.hpp"

namespace lbann::compiler {

/// Per layer of a graph after all passes over it: whether its outputs are predictions unless the
/// user names others. They are those of layers that nothing takes but losses and metrics, or
/// nothing at all; where some of them depend on weights, only these. Losses and metrics are layers
/// that lead to nothing but terms of the objective and metrics, and are of a type made for it, or
/// have no weights and depend on the data field `labels` or `responses`, or are themselves such a
/// term of one number.
std::vector<bool> predicted_layers(Graph const& graph);

}  // namespace lbann::compiler
