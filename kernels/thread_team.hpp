// The threads that compute kernels on the host: each kernel is cut into parts, one for each thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "kernels/spin_wait.hpp"

namespace lbann::kernels {

/// Threads that live as long as the team. Part p of every kernel runs on thread p, so that what a
/// thread has written into its caches it finds there again. The constructing thread is thread 0 and
/// the only one whose kernels are shared out; kernels of other threads run on the calling thread.
/// One team at a time. Why not OpenMP's threads: docs/decisions/waiting_threads.md.
class ThreadTeam {
 public:
  /// Calls started(i) on each thread i first (to choose its cores). Throws std::system_error where
  /// the system has no more threads.
  explicit ThreadTeam(std::int64_t threads, WaitPolicy policy = WaitPolicy::adaptive,
                      std::function<void(std::int64_t)> const& started = {});
  /// Says whose part begins; 0 where work is shared out to nobody.
  struct InTurn {
    std::function<void(std::int64_t part)> begins;
  };
  /// A team of one thread, which runs the parts of `threads` one after the other: what each of
  /// these would read and write can be found out (tests/benchmarks/exchanged_bytes.cpp).
  ThreadTeam(std::int64_t threads, InTurn in_turn);
  ~ThreadTeam();
  ThreadTeam(ThreadTeam const&) = delete;
  ThreadTeam& operator=(ThreadTeam const&) = delete;

  /// Threads of the team that lives, 1 without one.
  static std::int64_t size();

  /// How often the team has been shared work out so far: each time all threads wait for one
  /// another. 0 without a team.
  static std::int64_t synchronisations();

  /// Calls body(part) for all parts < `parts` <= size(), each on its thread, and waits for all.
  /// On a thread that does not own the team, or within a part, one after the other.
  template <class Body>
  static void for_each_part(std::int64_t parts, Body const& body) {
    run(
        parts,
        [](void const* context, std::int64_t part) { (*static_cast<Body const*>(context))(part); },
        &body);
  }

 private:
  using Call = void (*)(void const* context, std::int64_t part);
  struct State;

  static void run(std::int64_t parts, Call call, void const* context);

  std::unique_ptr<State> state_;
};

}  // namespace lbann::kernels
