// What ran where, with which versions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/communication/communicator.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// One start of a run: the first, or one that goes on from a checkpoint.
struct Provenance {
  std::string version;                       ///< of program and libraries, in lines
  std::vector<std::string> command;          ///< words of the command line
  std::vector<std::string> hosts;            ///< nodes of the trainer's ranks, in rank order
  std::int64_t ranks = 1;                    ///< of the trainer
  std::int64_t threads = 1, io_threads = 1;  ///< of the first rank
  std::int64_t trainer = 0, trainers = 1;
  std::string device;  ///< empty: CPUs
  bool resumed = false;
};

/// Names of the nodes of `ranks`, each once, in rank order; on rank 0, nothing on the others.
/// Collective.
std::vector<std::string> hosts_of(Communicator& ranks);

/// Appends a line of JSON with the time, the current folder and the number of a Slurm job to
/// `path`, a new file unless the run is resumed.
Result<Success> write_provenance(std::filesystem::path const& path, Provenance const& start);

}  // namespace lbann::runtime
