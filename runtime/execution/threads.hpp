// The threads of a run, and Kokkos on them.
#pragma once

#include <cstdint>

namespace lbann::runtime {

/// Threads that the environment asks for (OMP_NUM_THREADS); 0 where it does not.
std::int64_t wanted_threads();

/// Starts Kokkos on `threads` threads, and finalises it when it goes. One at a time.
class ComputeThreads {
 public:
  explicit ComputeThreads(std::int64_t threads);
  ~ComputeThreads();
  ComputeThreads(ComputeThreads const&) = delete;
};

}  // namespace lbann::runtime
