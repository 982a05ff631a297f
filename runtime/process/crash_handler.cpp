// Writes the position with async-signal-safe calls, then raises the signal again.
#include "runtime/process/crash_handler.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "runtime/process/position.hpp"

namespace lbann::runtime {

namespace {

struct Fatal {
  int signal;
  char const* name;
};
constexpr std::array<Fatal, 5> fatal_signals = {{{SIGSEGV, "SIGSEGV (access to no memory)"},
                                                 {SIGBUS, "SIGBUS (memory or a file is gone)"},
                                                 {SIGFPE, "SIGFPE (arithmetic)"},
                                                 {SIGILL, "SIGILL (no such instruction)"},
                                                 {SIGABRT, "SIGABRT"}}};

// Only a handler reads these; they are set before it is installed.
char prefix[100] = "lbann-run: error: ";
void (*crash_exit_action)() = nullptr;

void put(char const* text) {
  auto const length = std::strlen(text);
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, text, length);
}

void report_crash(int signal) {
  put(prefix);
  for (auto const& fatal : fatal_signals)
    if (fatal.signal == signal) put(fatal.name);
  if (auto const* const description = position().load()) {
    put(", in ");
    put(description);
  }
  put("\n");
  if (crash_exit_action != nullptr) crash_exit_action();
  // It is blocked in its handler, so it ends the process on return.
  ::raise(signal);
}

}  // namespace

void install_crash_handler(std::int64_t rank, std::int64_t ranks, void (*before_exit)()) {
#ifdef __SANITIZE_ADDRESS__
  (void)rank, (void)ranks, (void)before_exit, (void)&report_crash;  // the sanitizer reports more
#else
  if (ranks > 1)
    std::snprintf(prefix, sizeof prefix,
                  "lbann-run: error: rank %lld: ", static_cast<long long>(rank));
  crash_exit_action = before_exit;
  struct sigaction action {};
  action.sa_handler = &report_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (auto const& fatal : fatal_signals) ::sigaction(fatal.signal, &action, nullptr);
#endif
}

}  // namespace lbann::runtime
