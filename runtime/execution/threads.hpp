// What the environment says of threads: how many compute, and how they wait.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/compute_threads.hpp"
#include "runtime/execution/cores.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Most threads of a rank.
inline constexpr std::int64_t most_threads = 4096;

/// Threads that the environment asks for (OMP_NUM_THREADS); 0 where it does not.
std::int64_t wanted_threads();

/// OMP_WAIT_POLICY; adaptive where the environment says nothing of it.
kernels::WaitPolicy wanted_wait_policy();

/// Starts the computing threads of a rank where they belong. What the calling thread starts
/// afterwards is restricted to the rank's cores; see OnAllCores for what is to use all of them.
Result<std::unique_ptr<kernels::ComputeThreads>> start_threads(ThreadChoice const& choice);

}  // namespace lbann::runtime
