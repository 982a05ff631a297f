// metrics.jsonl: one JSON object per training step and per finished pass.
#pragma once

#include "runtime/callbacks/callback.hpp"

namespace lbann::runtime {

/// Writes `metrics.jsonl` in the work directory. Nothing is allocated per line.
Result<std::unique_ptr<Callback>> metrics_file(CallbackContext const& run);

}  // namespace lbann::runtime
