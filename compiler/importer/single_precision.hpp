// Numbers of LBANN's fields of type float.
#pragma once

#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Gives numbers of a node, and of what it holds, the value that a field of type float has after
/// reading them, written with the fewest digits: a text says more digits than its binary form
/// keeps. What no float holds stays, and is reported where it is used.
void round_to_float(Node& node);

}  // namespace lbann::compiler
