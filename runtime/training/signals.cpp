// A handler may only set a flag of the process, so this flag is the one variable no one owns.
#include "runtime/training/signals.hpp"

#include <atomic>

namespace lbann::runtime {

namespace {

std::atomic<int> received_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

void note(int signal) { received_signal.store(signal, std::memory_order_relaxed); }

}  // namespace

SignalWatch::SignalWatch() {
  received_signal.store(0);
  struct sigaction action {};
  action.sa_handler = &note;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, &before_interrupt_);
  // Launchers and batch systems warn a process and its group, so the same signal may come twice.
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGTERM, &action, &before_terminate_);
  ::sigaction(SIGUSR1, &action, &before_warning_);
}

SignalWatch::~SignalWatch() {
  ::sigaction(SIGINT, &before_interrupt_, nullptr);
  ::sigaction(SIGTERM, &before_terminate_, nullptr);
  ::sigaction(SIGUSR1, &before_warning_, nullptr);
}

int SignalWatch::received() { return received_signal.load(std::memory_order_relaxed); }

}  // namespace lbann::runtime
