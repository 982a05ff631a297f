// `variables:` and `${...}`.
#pragma once

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Replaces every `${...}` in the values of a document (keys and `x-` entries stay as they are). A
/// scalar that is nothing but one expression takes the type of its value: a bare name may stand for
/// a list or a mapping. `$${` is a literal `${`. Variables may use one another and lie in nested
/// mappings (`${data.size}`). Unknown names, cycles and bad expressions are reported.
void substitute_variables(Document& document, Report& report);

}  // namespace lbann::compiler
