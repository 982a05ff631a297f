// Which weights a regularization is of, in few words.
#pragma once

#include <string>
#include <vector>

#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Puts patterns (`*_kernel`) in the place of the names of weights in the model's regularizations,
/// or nothing where they are all that are `trained`, as long as these stand for the same weights in
/// the same order.
void shorten_regularizations(Node& root, std::vector<std::string> const& trained);

}  // namespace lbann::compiler
