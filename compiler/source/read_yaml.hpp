// YAML text as a document.
#pragma once

#include <optional>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/budget.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Reads a text (YAML 1.2 as far as yaml-cpp goes, plus `${...}` anywhere in a plain scalar, also
/// between braces). Aliases are copies that keep the places of what they stand for, so are entries
/// that a merge key `<<` brings in; `budget` counts them. The first error of syntax ends the
/// reading; duplicate keys and unknown tags are all reported. Nothing if anything was.
std::optional<Document> read_yaml(Source const& source, std::uint32_t file, Budget& budget,
                                  Report& report);

}  // namespace lbann::compiler
