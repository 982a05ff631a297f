// The data of a run: one phase for each role the plan has data for.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "runtime/data/staged_files.hpp"
#include "runtime/training/phase.hpp"
#include "runtime/training/stored_data.hpp"

namespace lbann {
class PythonWorkers;
}

namespace lbann::runtime {

struct FeedOptions {
  std::string data_root;
  std::int64_t io_threads = 1;
  std::int64_t seed = 0;             ///< of the order of samples; their selection uses the plan's
  std::int64_t rank = 0, ranks = 1;  ///< in the trainer
  PythonWorkers* python = nullptr;   ///< started before MPI; null: none
  StoreChoice store = {};            ///< used only with `trainer`
  Communicator* trainer = nullptr;   ///< its ranks
  std::int64_t rank_on_node = 0, ranks_on_node = 1;  ///< of all trainers
  StagingOptions staging = {};
  std::int64_t trainer_number = 0;
  std::vector<std::int64_t> cuts = {};  ///< of mini-batches over ranks, as BatchStream has them
};

struct Feeds {
  std::shared_ptr<StagedFiles> staged;                 ///< where files are copied to; null: nowhere
  std::array<std::optional<Phase>, run_modes> phases;  ///< by ExecutionMode
  PhaseSizes sizes;
  std::optional<StoredData> stored;  ///< data stores
  /// Files are copied no longer than there are samples that name them.
  struct End {
    std::shared_ptr<StagedFiles> staged;
    End() = default;
    End(End&&) = default;
    End& operator=(End&&) = default;
    ~End() {
      if (staged) staged->stop();
    }
  } end;
};

/// Opens all data of `plan`, which must outlive it, and starts to prefetch the first mini-batches;
/// with data stores that begins with the first pass, as ranks talk to one another then.
/// A mini-batch is never larger than the data of its role. Problems name file and line.
Result<Feeds> open_feeds(Plan const& plan, FeedOptions const& options);

}  // namespace lbann::runtime
