// A document as text, for people who want to see what was read.
#pragma once

#include <string>

#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// One line per key or element, indented, with the bytes it was read from: `name: "conv1"  [12,
/// 17)`.
std::string to_text(Document const& document);

}  // namespace lbann::compiler
