// From LBANN's messages in protobuf's text format to a document of the language.
#pragma once

#include <span>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/declarations.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Translates trees of `read_prototext`, one per file: what several files say of model, trainer and
/// readers is joined, the last optimizer holds. Messages become sections, `oneof` members mappings
/// with a single key, lists of words lists; whatever LBANN takes for a field that is not given, and
/// the language does not, is written out (`prototext_rules`), with a warning where that cannot be
/// meant. Fields nobody knows are kept: they are reported where sections are read. Places are those
/// of the texts.
Document import_prototext(std::span<Document const> files, Declarations const& declarations,
                          Report& report);

}  // namespace lbann::compiler
