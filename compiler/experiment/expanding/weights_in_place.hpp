// Weights declared where a layer uses them: `weights: {name: kernel, initializer: ...}`.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/experiment.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Calls `visit` for each of a layer's `weights`: a name, or a mapping that declares them.
void each_weights(Node& layer, std::function<void(Node&)> const& visit);

/// The name in one of a layer's `weights`, given or declared; null where there is none.
Node* name_of_weights(Node& weights);

/// Names of all weights that layers declare.
std::set<std::string> declared_weights(std::vector<Node>& layers);

/// Whether a layer uses one of these weights.
bool names_weights(Node& layer, std::set<std::string> const& names);

/// Moves what layers declare to the end of the model's `weights`; names stand in the layers then.
void gather_weights(Node& model, Report& report);

/// Puts a model's weights in the order in which layers use them: where they are declared means
/// nothing.
void order_by_use(Experiment& experiment);

}  // namespace lbann::compiler
