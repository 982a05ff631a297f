// A communicator without others: for trying the program of one rank of many on any machine.
#pragma once

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// Messages that were started, and bytes handed to them.
struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

/// Rank `rank` of `size`. Sums come out as if all ranks held what this one holds; it hears its own
/// words for those of any other, and no other rank computes on its node. `one_node`: the ranks
/// share memory, to which others write nothing. All that is summed and written for others is added
/// to `traffic`, which outlives it and what comes from it.
std::unique_ptr<Communicator> dry_run_communicator(std::int64_t rank, std::int64_t size,
                                                   bool one_node, Traffic& traffic);

}  // namespace lbann::runtime
