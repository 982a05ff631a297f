// What makes the inputs of a layer equal that must be.
#pragma once

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/graph/graph.hpp"

namespace lbann::compiler {

/// Adds to a diagnostic of `unequal-inputs` at `layer` how they become equal: the number that a
/// layer before it would have to have, or the dims of a `reshape`; nothing where neither would do.
void suggest_equal_inputs(Graph const& graph, GraphLayer const& layer, Diagnostic& diagnostic);

}  // namespace lbann::compiler
