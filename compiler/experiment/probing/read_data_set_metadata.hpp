// What `data_set_metadata` says of JAG simulations, told to their readers.
#pragma once

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/declarations.hpp"
#include "compiler/experiment/experiment.hpp"

namespace lbann::compiler {

/// Tells each reader that takes metadata what its samples hold. Where all keys are asked for, the
/// first sample of the reader is looked at, which then must be here. Metadata that is not here is a
/// warning: dims may come from elsewhere.
void read_data_set_metadata(Experiment& experiment, Declarations const& declarations,
                            OpenContext const& context, Report& report);

}  // namespace lbann::compiler
