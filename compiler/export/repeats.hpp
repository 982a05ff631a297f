// Lists of entries that repeat themselves, written once.
#pragma once

#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Puts `repeat` entries in the place of entries of a model's lists that differ in nothing but
/// numbers within texts, each of which grows or shrinks evenly from round to round (`block1_conv`,
/// `block2_conv`). Writing `root` out gives exactly the entries that it held.
void write_repeats(Node& root);

}  // namespace lbann::compiler
