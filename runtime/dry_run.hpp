// Runs the program of one rank of many without the others and without data.
#pragma once

#include "runtime/run.hpp"

namespace lbann::runtime {

/// The rank and the run to simulate.
struct DryRunConfig {
  std::int64_t ranks = 1;
  std::int64_t rank = 0;
  std::int64_t procs_per_trainer = 0;  ///< 0: all ranks in one trainer
  std::int64_t mini_batch = 0;         ///< of the trainer; 0: the plan's
  std::int64_t procs_per_node = 0;     ///< 0: all ranks on one node
};

/// Executes the rank's program, `options.step_limit` times (0: ten), on random data, and prints its
/// memory, and for each entry point its time, operations and messages. Sums over ranks take no
/// time: there is no network. Writes no file. Returns the exit code.
int dry_run(RunOptions const& options, DryRunConfig const& config);

}  // namespace lbann::runtime
