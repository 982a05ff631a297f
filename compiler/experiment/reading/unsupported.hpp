// What an experiment asks for that is declared but not built, or that changes nothing.
#pragma once

#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/experiment.hpp"

namespace lbann::compiler {

/// Reports everything in the experiment that is not built as an error, or as a warning if it is
/// allowed, and everything without effect as a warning, once per field. Gives the names of what is
/// not built, in order of their places.
std::vector<std::string> report_unsupported(Experiment const& experiment, bool allowed,
                                            Report& report);

}  // namespace lbann::compiler
