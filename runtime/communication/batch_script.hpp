// Job scripts for batch systems.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// The job that a script requests.
struct BatchJob {
  std::string system;  ///< `slurm`, `lsf` or `flux`
  std::string name = "lbann";
  std::int64_t nodes = 1;
  std::int64_t ranks_per_node = 1;
  std::int64_t minutes = 60;
  std::vector<std::string> command;  ///< what each rank executes: lbann-run and its arguments
};

inline constexpr std::int64_t warning_seconds = 90;  ///< before the time limit SIGUSR1 is sent

/// The script. On SIGUSR1 the run writes a checkpoint and exits with 75; the script then requeues
/// the job, which goes on from it.
std::string batch_script(BatchJob const& job);

}  // namespace lbann::runtime
