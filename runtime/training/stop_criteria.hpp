// When training ends: at whichever limit comes first.
#pragma once

#include <string_view>

#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

/// Why training stopped.
enum class Stop : std::uint8_t {
  not_yet,
  batches,
  epochs,
  seconds,
  steps,
  signal,
  callback,
  checkpoint
};

/// What has been done so far.
struct Progress {
  std::int64_t steps = 0;
  std::int64_t epochs = 0;
  double seconds = 0;
};

/// `step_limit` of the command line; 0: none. A plan without any limit does not train: it stops
/// before the first step.
inline Stop stop_of(TrainingAlgorithm const& training, std::int64_t step_limit,
                    Progress const& progress) {
  bool const unlimited =
      training.max_batches == 0 && training.max_epochs == 0 && training.max_seconds == 0;
  if (unlimited) return Stop::epochs;
  if (training.max_epochs > 0 && progress.epochs >= training.max_epochs) return Stop::epochs;
  if (training.max_batches > 0 && progress.steps >= training.max_batches) return Stop::batches;
  if (training.max_seconds > 0 && progress.seconds >= training.max_seconds) return Stop::seconds;
  if (step_limit > 0 && progress.steps >= step_limit) return Stop::steps;
  return Stop::not_yet;
}

}  // namespace lbann::runtime
