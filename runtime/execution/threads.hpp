// Compute threads: their number and wait policy from the environment, and their start.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/compute_threads.hpp"
#include "runtime/execution/cores.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Maximum number of threads of a rank.
inline constexpr std::int64_t most_threads = 4096;

/// The number of threads in OMP_NUM_THREADS; 0 if it is not set.
std::int64_t wanted_threads();

/// OMP_WAIT_POLICY; adaptive if it is not set.
kernels::WaitPolicy wanted_wait_policy();

/// Starts the compute threads of a rank on their places. What the calling thread starts afterwards
/// is restricted to the rank's cores; see OnAllCores for what is to use all of them.
Result<std::unique_ptr<kernels::ComputeThreads>> start_threads(ThreadChoice const& choice);

}  // namespace lbann::runtime
