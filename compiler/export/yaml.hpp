// A document as YAML.
#pragma once

#include <string>

#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Reading it gives an equal tree. Sections stand apart, mappings and lists that fit into a line in
/// one.
std::string to_yaml(Node const& root);

/// The same in one line, however long, in flow style.
std::string to_yaml_line(Node const& node);

}  // namespace lbann::compiler
