// TOML text as a document.
#pragma once

#include <optional>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Reads a text (TOML 1.0). Keys stand in the order of the text; a table of which several headers
/// tell stands where its name is met first. Strings are quoted scalars, numbers and truth values
/// plain ones. The first error of syntax ends the reading; nothing then, nor for dates and times,
/// which the language has not.
std::optional<Document> read_toml(Source const& source, std::uint32_t file, Report& report);

}  // namespace lbann::compiler
