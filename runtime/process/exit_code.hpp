// Exit codes of lbann-run.
#pragma once

namespace lbann::runtime {

enum ExitCode : int {
  exit_good = 0,
  exit_failed = 1,         ///< training failed
  exit_command_line = 2,   ///< the command line is wrong
  exit_file = 3,           ///< a file cannot be read or written
  exit_check = 4,          ///< a check that the experiment asks for has failed
  exit_requeue = 75,       ///< SIGUSR1: ended early with a checkpoint, to be started again
  exit_interrupted = 130,  ///< SIGINT
  exit_terminated = 143    ///< SIGTERM: ended early, not to be started again by a script
};

}  // namespace lbann::runtime
