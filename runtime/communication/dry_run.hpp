// A communicator without others: for trying the program of one rank of many on any machine.
#pragma once

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// Sums over ranks that were started, and bytes handed to them.
struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

/// Rank `rank` of `size`. Sums come out as if all ranks held what this one holds; it hears its own
/// words for those of any other, and its node has no other rank. All that is summed is added to
/// `traffic`, which outlives it and what comes from it.
std::unique_ptr<Communicator> dry_run_communicator(std::int64_t rank, std::int64_t size,
                                                   Traffic& traffic);

}  // namespace lbann::runtime
