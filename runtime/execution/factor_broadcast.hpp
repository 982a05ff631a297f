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

/// Where the columns of `a` that are rows of `rank` begin, from `all_a` on, in bytes.
std::int64_t block_of(Factors const& factors, std::int64_t rank);

/// Posted, it copies the factors of this rank to those of all and publishes them; it has arrived
/// when every rank has.
std::unique_ptr<Transfer> factor_transfer(Factors const& factors, SharedMemory& memory);

/// All ranks meet: what any of them did before, all see behind it.
std::unique_ptr<kernels::Kernel> barrier_kernel(SharedMemory& memory);

}  // namespace lbann::runtime
