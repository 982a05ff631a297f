// A communicator with simulated peers, to run the program of one rank of many on any machine.
#pragma once

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// Number of messages posted, and their bytes.
struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

/// Rank `rank` of `size`. Sums are computed as if all ranks held this one's data, a broadcast gives
/// this rank's own bytes, and no other rank computes on its node. `one_node`: the ranks share
/// memory, to which only this one writes. Sums and published bytes are counted in `traffic`, which
/// must outlive it and what it makes.
std::unique_ptr<Communicator> dry_run_communicator(std::int64_t rank, std::int64_t size,
                                                   bool one_node, Traffic& traffic);

}  // namespace lbann::runtime
