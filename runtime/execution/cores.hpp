// How many threads a rank computes with, when several share a node.
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
  std::int64_t cores = 1;  ///< of the node, that any of its ranks may use
  std::int64_t ranks_on_node = 1;
  std::int64_t threads_on_node = 1;  ///< of all its ranks, I/O included
  bool warns = false;                ///< more threads compute than there are cores
  CoreMask own;                      ///< cores that no other rank here uses; empty: not restricted
  std::vector<CoreMask> places;      ///< of each computing thread; empty: all of `own`
  /// `threads : 2 ranks on this node of 8 cores, each 3 to compute and 1 for data`
  std::string line() const;
};

/// The share of `masks[rank]`: a core that several ranks may use counts for each in parts. At least
/// one thread; where the share is four or more, those for I/O come out of it. `asked`: computing
/// threads the user wants, 0 for none. `quota`: cores' worth of time that all of them may use
/// together, 0 for no limit.
ThreadChoice share_cores(std::vector<CoreMask> const& masks, std::size_t rank, std::int64_t asked,
                         std::int64_t io, std::int64_t quota = 0);

/// The part of `masks[rank]` that is left to this rank alone where several ranks have the same mask
/// and it has a core for each; otherwise all of it.
CoreMask own_cores(std::vector<CoreMask> const& masks, std::size_t rank);

/// Collective over `world`: share_cores among the ranks of this node, and where threads belong.
ThreadChoice choose_threads(Communicator& world, Binding const& binding, std::int64_t asked,
                            std::int64_t io);

}  // namespace lbann::runtime
