// The hooks are static: a wait may begin in any object of the process.
#include "runtime/communication/waiting.hpp"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace lbann::runtime {

namespace {

/// Polls without a pause, some microseconds in total.
constexpr int spin_polls = 200;
/// Seconds of polling before it sleeps between polls.
constexpr double sleep_after = 0.02;
constexpr auto sleep_time = std::chrono::microseconds(100);

std::function<void(double)>& long_wait_action() {
  static std::function<void(double)> action;
  return action;
}

std::atomic<bool>& waiting_flag() {
  static std::atomic<bool> flag{false};
  return flag;
}

std::atomic<void (*)()> waiting_action{nullptr};

}  // namespace

bool is_waiting() { return waiting_flag(); }

void on_long_wait(std::function<void(double)> action) { long_wait_action() = std::move(action); }

void while_waiting(void (*action)()) { waiting_action = action; }

void wait_until(std::function<bool()> const& arrived) {
  using Clock = std::chrono::steady_clock;
  auto* const progress = waiting_action.load();
  for (int i = 0; i < spin_polls; ++i)
    if (arrived()) return;
  auto const begin = Clock::now();
  double last_report = 0;
  waiting_flag() = true;
  while (!arrived()) {
    if (progress != nullptr) progress();
    auto const seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    ::sched_yield();
    if (seconds > sleep_after) std::this_thread::sleep_for(sleep_time);
    if (seconds < last_report + 0.1) continue;
    last_report = seconds;
    if (auto const& action = long_wait_action()) action(seconds);
  }
  waiting_flag() = false;
}

}  // namespace lbann::runtime
