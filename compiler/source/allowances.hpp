// Warnings that the user has seen and means.
#pragma once

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// `x-allow: [code, ...]` in a mapping: warnings and notes of these codes are not told of what
/// stands in the mapping, or of the key that it is the value of. Reports codes of no warning or
/// note.
void take_allowances(Document const& document, Report& report);

}  // namespace lbann::compiler
