// The catalogue of what can be wrong with an experiment: one header per stage, one place per code.
//
// An entry is a constant in the header of its stage, and a folder of `examples`. The list of all
// entries is generated from the headers.
#pragma once

#include <string_view>
#include <vector>

#include "schemas/diagnostics/command_line.hpp"
#include "schemas/diagnostics/diagnostic_info.hpp"
#include "schemas/diagnostics/experiment.hpp"
#include "schemas/diagnostics/graph.hpp"
#include "schemas/diagnostics/passes.hpp"
#include "schemas/diagnostics/source.hpp"

namespace lbann {

/// All entries, in order of the stages and of each header.
std::vector<DiagnosticInfo const*> catalogue();

/// The entry with this code, or null.
DiagnosticInfo const* diagnostic_named(std::string_view code);

}  // namespace lbann
