// Numbers that the type of a model cannot hold.
#pragma once

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/experiment.hpp"

namespace lbann::compiler {

/// Reports numbers of layers, initializers, optimizers and objective terms that are infinite or
/// zero in the type they are computed in, but not as they are written.
void check_number_ranges(Experiment const& experiment, Report& report);

}  // namespace lbann::compiler
