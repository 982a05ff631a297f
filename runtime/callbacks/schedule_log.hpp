// Logs changes by the plan's schedules between epochs.
#pragma once

#include "runtime/callbacks/callback.hpp"

namespace lbann::runtime {

/// Logs changes of the mini-batch size, and of learning rates that the plan's entry points with a
/// timing write, when an epoch ends; null for a plan without either.
std::unique_ptr<Callback> schedule_log(CallbackContext const& run);

}  // namespace lbann::runtime
