// Logs steps of mixed precision that changed no weights.
#pragma once

#include "runtime/callbacks/callback.hpp"

namespace lbann::runtime {

/// Logs after each epoch in how many of its steps gradients were not finite, and the loss scale;
/// null for a plan without one.
std::unique_ptr<Callback> loss_scale_log(CallbackContext const& run);

}  // namespace lbann::runtime
