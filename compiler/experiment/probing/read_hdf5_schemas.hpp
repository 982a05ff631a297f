// Schemas of readers found, read and resolved.
#pragma once

#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/declarations.hpp"
#include "compiler/experiment/experiment.hpp"
#include "compiler/source/budget.hpp"

namespace lbann::compiler {

/// Tells each reader that takes schemas what its samples hold. A schema that is not here is a
/// warning: dims may come from elsewhere. Adds the texts to `sources`.
void read_hdf5_schemas(Experiment& experiment, Declarations const& declarations,
                       DataPlaces const& places, std::vector<Source>& sources, Budget& budget,
                       Report& report);

}  // namespace lbann::compiler
