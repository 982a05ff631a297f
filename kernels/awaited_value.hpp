// A number that threads can wait for, blocked in the operating system.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace lbann::kernels {

/// std::atomic::wait yields its core some times before it blocks. On a core that is shared that
/// gives a whole time slice to another program, and a thread that has slept is woken sooner than
/// one that has yielded; so this one blocks at once.
class AwaitedValue {
 public:
  explicit AwaitedValue(std::int32_t value) : value_(value) {}

  std::int32_t load() const { return value_.load(std::memory_order_acquire); }
  /// Without waking anyone.
  void store(std::int32_t value) { value_.store(value, std::memory_order_relaxed); }
  /// Adds `difference` and returns the sum, without waking anyone.
  std::int32_t add(std::int32_t difference) { return value_.fetch_add(difference) + difference; }

  /// Wakes all threads that are blocked: call it after the value has changed.
  void wake_all() {
    if (blocked_.load() > 0)
      ::syscall(SYS_futex, &value_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

  /// Blocks while the value is `unwanted`; may return without cause.
  void block_while(std::int32_t unwanted) {
    blocked_.fetch_add(1);
    if (value_.load() == unwanted)
      ::syscall(SYS_futex, &value_, FUTEX_WAIT_PRIVATE, unwanted, nullptr, nullptr, 0);
    blocked_.fetch_sub(1);
  }

 private:
  std::atomic<std::int32_t> value_;
  std::atomic<std::int32_t> blocked_{0};
};

}  // namespace lbann::kernels
