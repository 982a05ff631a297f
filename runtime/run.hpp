// A whole run: plan in, trained weights out.
#pragma once

#include <chrono>
#include <optional>

#include "runtime/communication/trainers.hpp"
#include "runtime/loading/plan_file.hpp"
#include "runtime/process/exit_code.hpp"
#include "runtime/run_options.hpp"
#include "schemas/samples/python_workers.hpp"

namespace lbann::runtime {

/// Work done before MPI is initialised: reading the plan, starting its Python workers.
struct PreparedRun {
  Result<PlanFile> file;
  std::optional<PythonWorkers> python;
};
PreparedRun prepare_run(RunOptions const& options);

/// Runs this rank of `ranks`; problems go to standard error, in one message from one rank. Returns
/// the exit code.
int run(RunOptions const& options, Ranks& ranks, PreparedRun prepared);

/// Start time of this process, before its libraries were loaded (to 10 ms).
std::chrono::steady_clock::time_point process_start();

}  // namespace lbann::runtime
