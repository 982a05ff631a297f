// What every rank of a run will hold, compute and send, told before the run.
#pragma once

#include "schemas/reports/device.hpp"
#include "schemas/reports/flops.hpp"
#include "schemas/reports/memory.hpp"
#include "schemas/reports/messages.hpp"
#include "schemas/reports/products.hpp"
#include "schemas/reports/run_size.hpp"
#include "schemas/reports/summary.hpp"
#include "schemas/reports/trace.hpp"

namespace lbann {

/// Ranks of each trainer, from `first` to `last` but not always all between: they have as many
/// samples, as large parts of what is split, and rows of gathered products, so that all else is the
/// same as well.
struct RankGroup {
  std::int64_t first = 0, last = 0;
  std::int64_t count = 1;
  std::int64_t samples = 0;  ///< that a rank computes at a time, at most
  MemoryReport memory;
  std::vector<EntryFlops> flops;
  std::vector<EntryMessages> messages;
  std::vector<EntryTrace> trace;
  DeviceReport device;  ///< if the rank has a GPU

  std::int64_t ranks() const { return count; }
};

struct RunReport {
  std::string experiment;
  std::int64_t ranks = 1, trainers = 1, procs_per_trainer = 1, mini_batch = 1;
  std::int64_t accumulate = 1;         ///< micro-batches of a mini-batch
  std::int64_t threads = 64;           ///< of a rank
  Machine machine;                     ///< that seconds are told for
  bool one_node = false;               ///< whether the ranks of a trainer share memory
  std::vector<RankGroup> groups;       ///< one or a few
  ModelSummary model;                  ///< operations are those of rank 0
  std::vector<SplitProduct> products;  ///< on rank 0
  std::vector<MeshCost>
      meshes;  ///< those that the ranks of a trainer can be, of which the first is
};

/// From the very programs that the ranks will execute: `specialize` is called once per group. The
/// problem says which number of `size` is impossible and what would do.
Result<RunReport> make_report(Plan const& plan, RunSize const& size, Machine const& machine = {});

}  // namespace lbann
