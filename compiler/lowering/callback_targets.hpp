// Which layers and weights the callbacks of an experiment act on.
#pragma once

#include "compiler/graph/graph.hpp"
#include "schemas/callbacks/alternate_updates.hpp"

namespace lbann::compiler {

/// Whether a callback of this type becomes instructions of the program, or sizes of mini-batches,
/// so that no runtime is told of it.
bool is_instruction(std::string_view callback);

/// The trained weights of these names; all of them if there are no names.
std::vector<WeightsId> trained_weights(Graph const& graph, std::vector<std::string> const& names);

/// The trained weights of the layers of these names, each once.
std::vector<WeightsId> trained_weights_of_layers(Graph const& graph,
                                                 std::vector<std::string> const& names);

/// Weights that are trained in turn: those of either group that are not of both.
struct AlternateWeights {
  std::vector<WeightsId> first, second;
};
AlternateWeights alternate_weights(Graph const& graph, callbacks::alternate_updates const& fields);

/// Weights whose learning rate `callback` changes between steps.
std::vector<WeightsId> scheduled_weights(Graph const& graph, Declaration const& callback);

}  // namespace lbann::compiler
