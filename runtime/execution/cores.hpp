// Number of compute threads of a rank, when several ranks share a node.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/communication/communicator.hpp"
#include "runtime/execution/affinity.hpp"

namespace lbann::runtime {

/// Threads of a rank and why.
struct ThreadChoice {
  std::int64_t compute = 1;
  std::int64_t io = 1;
  std::int64_t cores = 1;  ///< of the node, usable by any of its ranks
  std::int64_t ranks_on_node = 1, rank_on_node = 0;
  std::int64_t threads_on_node = 1;  ///< of all its ranks, I/O included
  bool warns = false;                ///< more threads compute than there are cores
  CoreMask own;                  ///< cores of this rank alone, if possible; empty: not restricted
  std::vector<CoreMask> places;  ///< of each computing thread; empty: all of `own`
  /// `threads : 2 ranks on this node of 8 cores, each 3 to compute and 1 for data`
  std::string line() const;
};

/// Threads for the cores of `masks[rank]`: a core that n ranks may use counts 1/n for each. At
/// least one compute thread; of a share of four or more cores, those for I/O are subtracted.
/// `requested`: compute threads set by the user, 0: none. `quota`: CPU quota of all ranks together
/// in cores, 0: no limit.
ThreadChoice share_cores(std::vector<CoreMask> const& masks, std::size_t rank,
                         std::int64_t requested, std::int64_t io, std::int64_t quota = 0);

/// The part of `masks[rank]` for this rank alone, if several ranks have the same mask and it has a
/// core for each; otherwise all of it.
CoreMask own_cores(std::vector<CoreMask> const& masks, std::size_t rank);

/// Collective over `world`: share_cores among the ranks of this node, and the places of threads.
ThreadChoice choose_threads(Communicator& world, Binding const& binding, std::int64_t requested,
                            std::int64_t io);

}  // namespace lbann::runtime
