// `--set path=value` on the command line.
#pragma once

#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/budget.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Puts each argument `path=value` into the document; the value is YAML. Paths name keys from the
/// top, joined by dots; in a list an entry goes by its `name`, its `<type>_<n>`, its type or role
/// if there is one such, or its number from 0; of several with one name `digits[test]` and
/// `digits[1]` mean that of this role or name, or of this number among them. Missing keys are added
/// (but for variables, which must exist) and then checked like written ones. Each argument becomes
/// a source of its own, so that diagnostics show it.
void apply_overrides(Document& document, std::vector<std::string> const& arguments,
                     std::vector<Source>& sources, Budget& budget, Report& report);

}  // namespace lbann::compiler
