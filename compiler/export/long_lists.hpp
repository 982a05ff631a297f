// Long lists of numbers, written as a rule.
#pragma once

#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Puts `repeat` entries in the place of numbers of long lists in `root`, wherever they stand, that
/// are the same, count up, or come again in blocks. Writing it out gives exactly the numbers that
/// it held.
void shorten_long_lists(Node& root);

}  // namespace lbann::compiler
