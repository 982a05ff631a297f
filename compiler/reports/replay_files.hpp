// A step of all ranks in files that SimGrid replays.
#pragma once

#include <string>

#include "schemas/plan/plan.hpp"
#include "schemas/reports/machine.hpp"
#include "schemas/reports/run_size.hpp"

namespace lbann::compiler {

/// Writes to `folder`, which is made if missing, what each rank of one trainer does in a step of
/// training (of prediction, where the plan knows nothing else): `rank0.txt`, ... and `replay.txt`,
/// which names them in order, for `smpirun -replay`. See `replay_of`.
Result<Success> write_replay(Plan const& plan, RunSize const& size, Machine const& machine,
                             std::string const& folder);

}  // namespace lbann::compiler
