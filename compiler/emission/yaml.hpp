// A document as YAML.
#pragma once

#include <string>

#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Reading it gives an equal tree, but for `null` inside of a line, which becomes `{}`. Mappings and
/// lists that fit into a line stand in one.
std::string to_yaml(Item const& root);

}  // namespace lbann::compiler
