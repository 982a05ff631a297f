// Groups of layers that recur, written once.
#pragma once

#include "compiler/experiment/declarations.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Puts calls in the place of layers of the model that recur with other names and values, and the
/// modules that they call before everything else. Writing `root` out gives exactly the layers that
/// it held, under their names.
void write_modules(Node& root, Declarations const& declarations);

}  // namespace lbann::compiler
