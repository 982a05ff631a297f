// The last message of a run that failed.
#pragma once

#include <string>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Writes `problem` to standard error, unless it is empty: then another rank reports it. Returns
/// `code`.
int fail(std::string const& problem, int code);
inline int fail(Problem const& problem, int code) { return fail(problem.message, code); }

}  // namespace lbann::runtime
