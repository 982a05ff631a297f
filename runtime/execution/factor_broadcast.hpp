// Broadcast of factors (see FactorBroadcast) through shared memory.
#pragma once

#include <memory>

#include "kernels/kernel.hpp"
#include "runtime/communication/communicator.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann::runtime {

/// Factors of one product: of this rank's samples, and of all.
struct Factors {
  kernels::View a, b;  ///< [local samples, rows], [local samples, columns]
  std::byte *all_a = nullptr, *all_b = nullptr;  ///< in shared memory
  std::int64_t samples = 0;                      ///< of the mini-batch
  std::int64_t first_sample = 0;                 ///< of this rank in it
  std::int64_t ranks = 1;
};

/// Offset in `all_a`, in bytes, of the columns of `a` that are rows of `rank`.
std::int64_t block_of(Factors const& factors, std::int64_t rank);

/// When posted, copies this rank's factors to shared memory and publishes them; complete when every
/// rank has done so.
std::unique_ptr<Transfer> factor_transfer(Factors const& factors, SharedMemory& memory);

/// When posted, publishes what this rank has left in shared memory, of which it will read `bytes`
/// of others; complete when every rank has.
std::unique_ptr<Transfer> barrier_transfer(SharedMemory& memory, std::int64_t bytes);

/// Barrier of all ranks: accesses before it on any rank happen before those after it on all.
std::unique_ptr<kernels::Kernel> barrier_kernel(SharedMemory& memory);

}  // namespace lbann::runtime
