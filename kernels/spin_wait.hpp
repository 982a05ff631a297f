// How long a thread that waits for another one spins before it blocks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace lbann::kernels {

/// What waiting threads do: `active` ones spin, `passive` ones block at once, `adaptive` ones spin
/// for milliseconds as long as nothing else wants their cores, and for microseconds otherwise.
enum class WaitPolicy { adaptive, active, passive };

/// What the threads of a team know of their cores together.
struct CoreUse {
  /// Nanoseconds of the steady clock until which other programs are taken to use these cores.
  std::atomic<std::int64_t> shared_until{0};
};

/// The waiting of one thread. It measures while it spins: where two looks at the clock lie further
/// apart than the loop between them takes, the operating system ran something else on this core.
/// Where that takes more than a quarter of the time, spinning would keep the core from what the
/// thread waits for, so for the next 50 milliseconds (up to a second if it is seen again soon) all
/// threads of the team block early. See docs/decisions/waiting_threads.md.
class SpinWait {
 public:
  SpinWait(WaitPolicy policy, CoreUse& cores) : policy_(policy), cores_(&cores) {}

  /// Polls ready() until it is true; false if the thread should block instead.
  template <class Ready>
  bool spin(Ready const& ready) {
    if (ready()) return true;
    if (policy_ == WaitPolicy::passive) return false;
    auto const start = now();
    auto last = start;
    auto const limit = patience(start);
    do {
      for (int poll = 0; poll < polls_per_look; ++poll) {
        if (ready()) return true;
        relax();
      }
      auto const time = now();
      if (policy_ == WaitPolicy::adaptive && cores_are_shared(last, time)) return false;
      last = time;
    } while (last - start < limit);
    return false;
  }

 private:
  static constexpr int polls_per_look = 32;
  static constexpr std::int64_t microsecond = 1000, millisecond = 1000 * microsecond;
  static constexpr std::int64_t preempted = 100 * microsecond;  ///< a longer gap is a preemption
  static constexpr std::int64_t tolerated = 2 * millisecond;    ///< lost beyond a quarter of time
  static constexpr std::int64_t least_pause = 50 * millisecond, most_pause = 1000 * millisecond;

  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  std::int64_t patience(std::int64_t time) const {
    if (policy_ == WaitPolicy::active) return 1000 * millisecond;
    bool const shared = time < cores_->shared_until.load(std::memory_order_relaxed);
    return shared ? 10 * microsecond : 2 * millisecond;
  }

  /// Takes the gap between two looks at the clock into account.
  bool cores_are_shared(std::int64_t last, std::int64_t time) {
    auto const gap = time - last;
    if (gap < preempted) return false;
    lost_ = lost_ - (time - seen_) / 4;
    lost_ = (lost_ > 0 ? lost_ : 0) + gap;
    seen_ = time;
    if (lost_ < tolerated) return false;
    bool const soon_again = time - quiet_from_ < pause_;
    pause_ = soon_again ? (2 * pause_ < most_pause ? 2 * pause_ : most_pause) : least_pause;
    quiet_from_ = time + pause_;
    lost_ = 0;
    cores_->shared_until.store(quiet_from_, std::memory_order_relaxed);
    return true;
  }

  WaitPolicy policy_;
  CoreUse* cores_;
  std::int64_t lost_ = 0;        ///< nanoseconds of preemption, less a quarter of the time since
  std::int64_t seen_ = 0;        ///< when the last preemption ended
  std::int64_t pause_ = 0;       ///< length of the last period of early blocking
  std::int64_t quiet_from_ = 0;  ///< when it ended
};

}  // namespace lbann::kernels
