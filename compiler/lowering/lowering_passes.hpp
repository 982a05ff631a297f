// Passes that make the program from the graph.
#pragma once

#include "compiler/passes/pipeline.hpp"

namespace lbann::compiler {

/// The program of the graph: inputs, state and entry points `initialize`, `train` (forward,
/// objective, sums; a tensor of role gradient for each trained weights, still unwritten) and
/// `evaluate`.
void lower_to_operators(Compilation& compilation);

/// Appends to `train` what optimizers do with the gradients, and the count of steps.
void update_weights(Compilation& compilation);

}  // namespace lbann::compiler
