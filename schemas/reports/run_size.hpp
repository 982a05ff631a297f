// A run as its command line describes it.
#pragma once

#include <cstdint>

#include "schemas/reports/choose_mesh.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann {

struct RunSize {
  std::int64_t ranks = 1;
  std::int64_t procs_per_trainer = 0;  ///< 0: all ranks in one trainer
  std::int64_t mini_batch = 0;         ///< samples of a step; 0: as the plan says
  std::int64_t procs_per_node = 0;     ///< 0: all ranks on one node
  std::int64_t threads = 64;           ///< of a rank; each has scratch memory of its own
  MeshRequest mesh = {};               ///< of the ranks of a trainer
};

/// Samples of a micro-batch in such a run.
std::int64_t micro_batch_size_of(Plan const& plan, RunSize const& size);

/// Where rank `rank` of each trainer stands in such a run. The problem says which number of `size`
/// is impossible and what would do.
Result<Placement> placement_of(Plan const& plan, RunSize const& size, std::int64_t rank);

}  // namespace lbann
