// The threads that compute kernels, and Kokkos beside them.
#pragma once

#include "kernels/thread_team.hpp"

namespace lbann::kernels {

/// Starts Kokkos and a team of threads, and ends both when it goes. On the host kernels run on the
/// team, so Kokkos has no threads of its own there. One at a time.
class ComputeThreads {
 public:
  /// As ThreadTeam.
  explicit ComputeThreads(std::int64_t threads, WaitPolicy policy = WaitPolicy::adaptive,
                          std::function<void(std::int64_t)> const& started = {});
  ComputeThreads(std::int64_t threads, ThreadTeam::InTurn in_turn);
  ~ComputeThreads();
  ComputeThreads(ComputeThreads const&) = delete;
  ComputeThreads& operator=(ComputeThreads const&) = delete;

 private:
  ThreadTeam team_;
};

}  // namespace lbann::kernels
