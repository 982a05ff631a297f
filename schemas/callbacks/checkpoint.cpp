// Checks and joins what the fields of `checkpoint` say of its interval.
#include "schemas/callbacks/checkpoint.hpp"

#include <algorithm>

#include "schemas/diagnostics/graph.hpp"

namespace lbann::callbacks {

namespace {

/// The smaller of two intervals; 0: never.
std::int64_t more_often(std::int64_t one, std::int64_t other) {
  return one > 0 && other > 0 ? std::min(one, other) : std::max(one, other);
}

}  // namespace

void checkpoint::check(Findings& findings) const {
  if (!every.empty() && !parse_checkpoint_interval(every))
    findings.add(diagnostics::not_an_interval, "every", {every});
}

CheckpointInterval checkpoint::interval() const {
  auto interval = parse_checkpoint_interval(every).value_or(CheckpointInterval{});
  // LBANN writes those of `ckpt_dist_...` to local folders alone; here each is brought further.
  if (auto const steps = more_often(checkpoint_steps, ckpt_dist_steps)) interval.steps = steps;
  if (auto const epochs = more_often(checkpoint_epochs, ckpt_dist_epochs)) interval.epochs = epochs;
  if (checkpoint_secs > 0) interval.seconds = checkpoint_secs;
  return interval;
}

}  // namespace lbann::callbacks
