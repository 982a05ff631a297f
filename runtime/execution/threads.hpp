// The threads of a run, and Kokkos on them.
#pragma once

#include <cstdint>

namespace lbann::runtime {

/// Threads to compute with: OMP_NUM_THREADS where it is set, else as many as the cores this process
/// may use (affinity mask).
std::int64_t default_threads();

/// Starts Kokkos on `threads` threads, and finalises it when it goes. One at a time.
class ComputeThreads {
 public:
  explicit ComputeThreads(std::int64_t threads);
  ~ComputeThreads();
  ComputeThreads(ComputeThreads const&) = delete;
};

}  // namespace lbann::runtime
