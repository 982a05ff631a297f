// Checks and joins what the fields of `checkpoint` say of its interval.
#include "schemas/callbacks/checkpoint.hpp"

#include "schemas/diagnostics/graph.hpp"

namespace lbann::callbacks {

void checkpoint::check(Findings& findings) const {
  if (!every.empty() && !parse_checkpoint_interval(every))
    findings.add(diagnostics::not_an_interval, "every", {every});
}

CheckpointInterval checkpoint::interval() const {
  auto interval = parse_checkpoint_interval(every).value_or(CheckpointInterval{});
  if (checkpoint_steps > 0) interval.steps = checkpoint_steps;
  if (checkpoint_epochs > 0) interval.epochs = checkpoint_epochs;
  if (checkpoint_secs > 0) interval.seconds = checkpoint_secs;
  return interval;
}

}  // namespace lbann::callbacks
