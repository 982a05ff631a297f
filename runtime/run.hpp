// A whole run: plan in, trained weights out.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "runtime/communication/trainers.hpp"
#include "runtime/data/staged_files.hpp"
#include "runtime/execution/affinity.hpp"
#include "runtime/loading/plan_file.hpp"
#include "runtime/process/exit_code.hpp"
#include "runtime/training/find_run.hpp"
#include "runtime/training/stored_data.hpp"
#include "schemas/callbacks/checkpoint_interval.hpp"
#include "schemas/samples/python_workers.hpp"

namespace lbann::runtime {

/// Options of the command line.
struct RunOptions {
  std::filesystem::path plan;
  FolderOptions folders;
  bool outputs_in_base = false;  ///< files of callbacks lie beside the run, as LBANN has them
  std::int64_t threads = 0;      ///< to compute with; 0: this rank's share of the cores
  Binding binding;               ///< of threads to cores
  std::int64_t io_threads = 1;
  StoreChoice data_store;
  StagingOptions staging;
  std::filesystem::path data_root;
  std::string python;  ///< interpreter; empty: $LBANN_PYTHON or `python3`
  kernels::Selection selection = kernels::Selection::best;
  std::int64_t step_limit = 0;  ///< 0: none
  std::vector<std::filesystem::path> load_models;
  std::vector<std::string> renames;  ///< of names in what is loaded, as `old -> new`
  bool load_partial = false;         ///< weights that `load_models` have not stay as they are
  std::filesystem::path save_model;
  callbacks::CheckpointInterval checkpoint_every;  ///< none: as the plan says
  std::filesystem::path export_file;               ///< `.safetensors` or `.npz`; empty: none
  bool quiet = false;
  bool describe = false;
  bool profile = false;
  bool check_finite = false;
  std::filesystem::path trace;  ///< file for the trace of all ranks; empty: none
  double stall_timeout = 300;   ///< seconds that ranks wait for one another
  std::chrono::steady_clock::time_point process_start = std::chrono::steady_clock::now();
};

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
