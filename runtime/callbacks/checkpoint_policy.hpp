// How often checkpoints are due, which are kept and where.
#pragma once

#include <filesystem>

#include "runtime/checkpoints/checkpoint_writer.hpp"
#include "schemas/callbacks/checkpoint_interval.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

struct CheckpointPolicy {
  callbacks::CheckpointInterval interval;
  CheckpointKeep keep;
  callbacks::OnFailure on_failure = callbacks::OnFailure::stop;
  std::filesystem::path folder;  ///< relative to the work directory
};

/// What the callback of the plan asks for; only signals and the command line where it has none.
CheckpointPolicy checkpoint_policy(Plan const& plan);

}  // namespace lbann::runtime
