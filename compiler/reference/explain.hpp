// The page of one diagnostic: what it says, what to do, an example with what is said, its repair.
#pragma once

#include <string>

#include "schemas/diagnostics/diagnostic_info.hpp"

namespace lbann::compiler {

/// Markdown with the heading `## code`; the output shown is what tests compare the compiler with.
std::string explain(DiagnosticInfo const& info);

/// What turns text `before` into `after`, line by line: `- ` lines that go, `+ ` lines that come,
/// the others after two blanks where they stand next to a change.
std::string line_changes(std::string_view before, std::string_view after);

}  // namespace lbann::compiler
