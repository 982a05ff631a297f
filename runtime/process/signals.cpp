// Signal handlers can only access globals, hence the flag is one.
#include "runtime/process/signals.hpp"

#include <unistd.h>

#include <atomic>

#include "runtime/process/exit_code.hpp"

namespace lbann::runtime {

namespace {

std::atomic<int> received_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

void record_signal(int signal) { received_signal.store(signal, std::memory_order_relaxed); }

// Only a handler reads these; they are set before it is installed.
bool prints_message = false;
void (*exit_action)() = nullptr;

// Whether training is over: a signal then finds its last checkpoint written.
std::atomic<bool> has_trained{false};

void end_at_once(int signal) {
  if (exit_action != nullptr) exit_action();
  auto const put = [](std::string_view text) {
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, text.data(), text.size());
  };
  bool const too_short = signal == SIGUSR1 && !has_trained.load(std::memory_order_relaxed);
  if (prints_message) {
    put("lbann-run: ended early by signal ");
    put(name_of_signal(signal));
    put(", not while it trained: nothing is left to save\n");
    if (too_short)
      put("lbann-run: error: the job needs a longer time limit: it ends before it trains\n");
  }
  // A job that is requeued without gaining a step would be so for ever.
  ::_exit(too_short ? exit_failed : exit_code_of_signal(signal));
}

}  // namespace

void end_at_signals(bool prints, void (*before_exit)()) {
  prints_message = prints;
  exit_action = before_exit;
  has_trained.store(false);
  struct sigaction action {};
  action.sa_handler = &end_at_once;
  for (int const signal : {SIGINT, SIGTERM, SIGUSR1}) ::sigaction(signal, &action, nullptr);
}

std::string_view name_of_signal(int signal) {
  return signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGUSR1";
}

int exit_code_of_signal(int signal) {
  return signal == SIGINT ? exit_interrupted : signal == SIGTERM ? exit_terminated : exit_requeue;
}

SignalWatch::SignalWatch() {
  received_signal.store(0);
  struct sigaction action {};
  action.sa_handler = &record_signal;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, &before_interrupt_);
  // Launchers and batch systems signal a process and its group, so a signal may arrive twice.
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGTERM, &action, &before_terminate_);
  ::sigaction(SIGUSR1, &action, &before_warning_);
}

SignalWatch::~SignalWatch() {
  has_trained.store(true, std::memory_order_relaxed);
  ::sigaction(SIGINT, &before_interrupt_, nullptr);
  ::sigaction(SIGTERM, &before_terminate_, nullptr);
  ::sigaction(SIGUSR1, &before_warning_, nullptr);
}

int SignalWatch::received() { return received_signal.load(std::memory_order_relaxed); }

}  // namespace lbann::runtime
