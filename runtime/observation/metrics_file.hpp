// metrics.jsonl: one JSON object per training step and per finished pass.
#pragma once

#include "runtime/observation/observer.hpp"

namespace lbann::runtime {

/// Writes `metrics.jsonl` in the work directory. Nothing is allocated per line.
Result<std::unique_ptr<Observer>> metrics_file(RunView const& run);

}  // namespace lbann::runtime
