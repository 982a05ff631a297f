// What can be wrong with what cannot be put into a plan.
#pragma once

#include <array>

#include "schemas/diagnostics/diagnostic_info.hpp"

namespace lbann::diagnostics {

inline constexpr std::array<DiagnosticInfo const*, 0> plan_entries = {};

}  // namespace lbann::diagnostics
