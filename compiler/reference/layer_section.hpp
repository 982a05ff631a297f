// The section of one layer in the reference: what it computes, its fields, an example.
#pragma once

#include <string>

#include "compiler/experiment/declarations.hpp"

namespace lbann::compiler {

/// What the layer computes, in lines of plain text; of layers that are one expression the value and
/// the gradient that the compiler derives.
std::string layer_formula(LayerType const& type);

/// Markdown with the heading `## name`. The tables below the example are what compiling it gives.
std::string layer_section(LayerType const& type, Declarations const& declarations);

}  // namespace lbann::compiler
