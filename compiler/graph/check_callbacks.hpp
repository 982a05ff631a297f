// What callbacks refer to, checked where it is written.
#pragma once

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/experiment.hpp"

namespace lbann::compiler {

/// Every callback of the experiment, the trainer's first.
std::vector<Declaration const*> all_callbacks(Experiment const& experiment);

/// The texts in a field of a callback.
std::vector<std::string> texts_in(Declaration const& callback, std::string_view field);

/// Reports phases there are not, metrics there are not, and bounds between which nothing lies.
void check_callbacks(Experiment const& experiment, Report& report);

}  // namespace lbann::compiler
