// What a graph must keep, as far as the passes that have run establish it.
#pragma once

#include <span>

#include "compiler/graph/graph.hpp"

namespace lbann::compiler {

/// What `graph` breaks of all that `established` passes (a prefix of the pipeline) promise, or
/// nothing.
std::optional<std::string> verify(Graph const& graph,
                                  std::span<std::string_view const> established);

}  // namespace lbann::compiler
