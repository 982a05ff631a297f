// How many threads a rank computes with, when several share a node.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// Cores a process may use, as bits of its affinity mask.
using CoreMask = std::vector<std::uint64_t>;
CoreMask affinity_mask();

/// Threads of a rank and why.
struct ThreadChoice {
  std::int64_t compute = 1;
  std::int64_t io = 1;
  std::int64_t cores = 1;  ///< of the node, that any of its ranks may use
  std::int64_t ranks_on_node = 1;
  std::int64_t threads_on_node = 1;  ///< of all its ranks, I/O included
  bool warns = false;                ///< more threads compute than there are cores
  /// `threads : 2 ranks on this node of 8 cores, each 3 to compute and 1 for data`
  std::string line() const;
};

/// The share of `masks[rank]`: a core that several ranks may use counts for each in parts. At least
/// one thread; where the share is four or more, those for I/O come out of it. `asked`: computing
/// threads the user wants, 0 for none.
ThreadChoice share_cores(std::vector<CoreMask> const& masks, std::size_t rank, std::int64_t asked,
                         std::int64_t io);

/// Collective over `world`: share_cores among the ranks of this node.
ThreadChoice choose_threads(Communicator& world, std::int64_t asked, std::int64_t io);

}  // namespace lbann::runtime
