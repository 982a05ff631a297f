// Whether bytes are a text at all, before any syntax is looked at.
#pragma once

#include "compiler/diagnostics/diagnostic.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// Reports the first byte that is not UTF-8 or is a control character other than tab and line
/// break; false if there is one, or if the text is larger than 256 MiB.
bool check_text(Source const& source, std::uint32_t file, Report& report);

}  // namespace lbann::compiler
