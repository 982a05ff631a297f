// The data of a run: one phase for each role the plan has data for.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "runtime/training/phase.hpp"

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
};

struct Feeds {
  std::array<std::optional<Phase>, run_modes> phases;  ///< by ExecutionMode
  PhaseSizes sizes;
};

/// Opens all data of `plan`, which must outlive it, and starts to prefetch the first mini-batches.
/// A mini-batch is never larger than the data of its role. Problems name file and line.
Result<Feeds> open_feeds(Plan const& plan, FeedOptions const& options);

}  // namespace lbann::runtime
