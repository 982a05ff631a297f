// Text-format protobuf as a tree, whatever its messages mean.
#pragma once

#include <optional>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Reads a text of fields (protobuf's text format: blocks in `{}` or `<>`, lists, adjacent strings,
/// escapes, comments, expanded `Any`). Gives a mapping in which a repeated field stands once for
/// each of its values, in order of the text; an expanded `Any` stands under its bracketed name,
/// e.g.
/// `[type.googleapis.com/lbann_data.SGD]`. Strings are quoted scalars; numbers, identifiers and
/// enumerators are plain ones, numbers in decimal. The first error of syntax ends the reading;
/// nothing then.
std::optional<Document> read_prototext(Source const& source, std::uint32_t file, Report& report);

}  // namespace lbann::compiler
