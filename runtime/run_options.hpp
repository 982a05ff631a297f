// What the command line asks of a run.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "runtime/data/staged_files.hpp"
#include "runtime/execution/affinity.hpp"
#include "runtime/observation/log.hpp"
#include "runtime/process/program_of_device.hpp"
#include "runtime/training/find_run.hpp"
#include "runtime/training/stored_data.hpp"
#include "schemas/callbacks/checkpoint_interval.hpp"
#include "schemas/reports/choose_mesh.hpp"

namespace lbann::runtime {

/// Options of the command line.
struct RunOptions {
  std::vector<std::string> command;  ///< words of the command line
  std::string version;               ///< of program and libraries
  std::filesystem::path plan;        ///< of this rank's trainer
  bool plan_per_trainer = false;     ///< trainers may have plans that differ
  FolderOptions folders;
  bool outputs_in_base = false;   ///< files of callbacks lie beside the run, as LBANN has them
  MeshRequest mesh;               ///< how the ranks of a trainer are arranged
  bool no_shared_memory = false;  ///< of the ranks of a node: all sums over messages
  std::int64_t threads = 0;       ///< to compute with; 0: this rank's share of the cores
  Binding binding;                ///< of threads to cores
  std::int64_t io_threads = 1;
  StoreChoice data_store;
  StagingOptions staging;
  std::filesystem::path data_root;
  std::string python;  ///< interpreter; empty: $LBANN_PYTHON or `python3`
  DeviceChoice device = DeviceChoice::automatic;
  bool tf32 = false;  ///< products on a GPU may round their factors
  kernels::Selection selection = kernels::Selection::best;
  std::int64_t step_limit = 0;  ///< 0: none
  std::vector<std::filesystem::path> load_models;
  std::vector<std::string> renames;  ///< of names in what is loaded, as `old -> new`
  bool load_partial = false;         ///< weights that `load_models` have not stay as they are
  std::filesystem::path save_model;
  callbacks::CheckpointInterval checkpoint_every;  ///< none: as the plan says
  std::filesystem::path export_file;               ///< `.safetensors` or `.npz`; empty: none
  bool quiet = false;
  std::optional<LogStyle> log_style;  ///< nothing: a table on a terminal, else LBANN's lines
  bool describe = false;
  bool profile = false;
  bool check_finite = false;
  std::filesystem::path trace;  ///< file for the trace of all ranks; empty: none
  double stall_timeout = 300;   ///< seconds that ranks wait for one another
  std::chrono::steady_clock::time_point process_start = std::chrono::steady_clock::now();
};

}  // namespace lbann::runtime
