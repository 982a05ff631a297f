// Memory that processes of one node see together.
#pragma once

#include "runtime/communication/communicator.hpp"

namespace lbann::runtime {

/// Collective over `ranks`, all of which run on one node: so many bytes that all of them see,
/// aligned to huge pages. It has no name in any file system, so nothing is left of it however a
/// rank ends. Null on all ranks where one of them cannot map it.
std::unique_ptr<SharedMemory> map_shared(Communicator& ranks, std::int64_t bytes);

}  // namespace lbann::runtime
