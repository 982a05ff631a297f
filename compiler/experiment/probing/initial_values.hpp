// Files with first values of weights, as far as they can be looked at.
#pragma once

#include "compiler/experiment/probing/data_fields.hpp"
#include "compiler/initializers/initializer.hpp"

namespace lbann::compiler {

/// Completes `file_numbers` of weights whose values lie in a file that is here. Errors: files that
/// are no arrays.
void probe_initial_values(Experiment& experiment, InitializerTypes const& types,
                          DataPlaces const& places, Report& report);

}  // namespace lbann::compiler
