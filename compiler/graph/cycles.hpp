// Circles of layers that wait for each other.
#pragma once

#include "compiler/graph/graph.hpp"

namespace lbann::compiler {

/// Reports each circle found over parents and hints as the path it takes; every layer is in at most
/// one report.
void report_cycles(Graph const& graph, Report& report);

}  // namespace lbann::compiler
