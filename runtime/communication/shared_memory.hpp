// Memory shared by the processes of a node.
#pragma once

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// Collective over `ranks`, all of which run on one node: shared memory of `bytes` bytes, aligned
/// to huge pages. It has no name in any file system, so nothing is left behind however a rank ends.
/// Null on all ranks if one of them cannot map it.
std::unique_ptr<SharedMemory> map_shared(Communicator& ranks, std::int64_t bytes);

}  // namespace lbann::runtime
