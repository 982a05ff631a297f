// One rank of many, without the others and without data.
#pragma once

#include "runtime/run.hpp"

namespace lbann::runtime {

/// Which rank of which run.
struct DryRunPlace {
  std::int64_t ranks = 1;
  std::int64_t rank = 0;
  std::int64_t procs_per_trainer = 0;  ///< 0: all ranks in one trainer
  std::int64_t mini_batch = 0;         ///< of the trainer; 0: as the plan says
  std::int64_t procs_per_node = 0;     ///< 0: all ranks on one node
};

/// Executes the program of that rank, `options.step_limit` times or ten, on random data, and prints
/// its memory, and for each entry point its time, operations and messages. What it sums over ranks
/// takes no time: there is no network. Writes no file. The exit code of the process.
int dry_run(RunOptions const& options, DryRunPlace const& place);

}  // namespace lbann::runtime
