// Mini-batch sizes that callbacks change from epoch to epoch.
#pragma once

#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/experiment.hpp"
#include "schemas/callbacks/minibatch_schedule.hpp"
#include "schemas/callbacks/step_minibatch.hpp"

namespace lbann::compiler {

// One for each such callback, in a file of its name: in the order of epochs, the first at 0, no
// size above `largest`.

std::vector<MiniBatchChange> changes_of(callbacks::step_minibatch const& fields,
                                        std::int64_t largest);
std::vector<MiniBatchChange> changes_of(callbacks::minibatch_schedule const& fields,
                                        std::vector<Declaration const*> const& steps,
                                        std::int64_t largest);

/// The steps of callback `minibatch_schedule` by their epochs; none of other callbacks.
std::vector<Declaration const*> steps_of(Declaration const& callback);

/// What callback `step_minibatch` or `minibatch_schedule` says; nothing if there is neither. No
/// size is larger than the experiment's.
std::vector<MiniBatchChange> mini_batch_changes(Experiment const& experiment);

/// Reports several such callbacks, several steps at one epoch, and sizes larger than the
/// experiment's.
void check_mini_batch_changes(Experiment const& experiment, Report& report);

}  // namespace lbann::compiler
