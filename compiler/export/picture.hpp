// A graph of layers as a picture.
#pragma once

#include <string>

#include "compiler/graph/graph.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::compiler {

/// The graph in Graphviz' language: a box per layer with its type, name and output dims, objective
/// and metrics marked; layers that a pass inserted in another colour, with the pass and its
/// purpose; a frame around the layers of each call of a module.
std::string to_dot(Graph const& graph, std::string const& title);

/// The picture as SVG, drawn by Graphviz' `dot`, or why it cannot be.
Result<std::string> to_svg(std::string const& dot);

}  // namespace lbann::compiler
