// Job scripts for batch systems.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lbann::runtime {

/// The job that a script requests. An empty text asks for nothing: the system's default holds.
struct BatchJob {
  std::string system;  ///< `slurm`, `lsf` or `flux`
  std::string name = "lbann";
  std::string partition;    ///< of Slurm
  std::string queue;        ///< of LSF and Flux
  std::string account;      ///< Slurm's account, LSF's project, Flux's bank
  std::string reservation;  ///< of Slurm and LSF
  std::int64_t nodes = 1;
  std::int64_t ranks_per_node = 1;
  std::int64_t minutes = 60;
  std::vector<std::string> command;  ///< what each rank executes: lbann-run and its arguments
};

inline constexpr std::int64_t warning_seconds = 90;  ///< before the time limit SIGUSR1 is sent

/// Why no script can ask for this job: its system has no such thing, or a text has characters that
/// would not reach it. Empty where one can.
std::string refusal_of(BatchJob const& job);

/// `text` with `_` for what may not stand in the name of a job.
std::string job_name_of(std::string_view text);

/// The script, of a job that is not refused. On SIGUSR1 the run writes a checkpoint and exits with
/// 75; the script then requeues the job, which goes on from it. On Slurm a job comes back, too,
/// that was pre-empted or has lost a node.
std::string batch_script(BatchJob const& job);

}  // namespace lbann::runtime
