// The text of an experiment, in whatever syntax, as a document.
#pragma once

#include <optional>

#include "compiler/compile.hpp"
#include "compiler/source/budget.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Reads the text of `options`, and its further parts where it is protobuf text. Adds what was read
/// to `sources`. Nothing after a report.
std::optional<Document> read_document(CompileOptions const& options,
                                      Declarations const& declarations,
                                      std::vector<Source>& sources, Budget& budget, Report& report);

}  // namespace lbann::compiler
