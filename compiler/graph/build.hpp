// From the experiment to the graph the user wrote: names resolved, edges known on both sides.
#pragma once

#include "compiler/graph/graph.hpp"

namespace lbann::compiler {

/// Resolves parents (a layer without `parents` follows the one before it), children, weights,
/// hints, objective and metrics by name. Reports duplicate and dangling names, wrong numbers of
/// parents, and cycles as the path they take. Linear in the size of the experiment.
Graph build_graph(Experiment const& experiment, LayerTypes const& types, Report& report);

}  // namespace lbann::compiler
