// A document as TOML.
#pragma once

#include <string>

#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Reading it gives an equal tree, but for `null`, which TOML has not: it becomes `{}`. Sections
/// are tables, their lists of mappings arrays of tables, everything deeper stands in a line.
std::string to_toml(Node const& root);

}  // namespace lbann::compiler
