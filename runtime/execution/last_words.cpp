// A handler that only copies words, writes them, and lets the signal do its work.
#include "runtime/execution/last_words.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "runtime/execution/position.hpp"

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
void (*leave)() = nullptr;

void put_words(char const* text) {
  auto const length = std::strlen(text);
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, text, length);
}

void tell_last_words(int signal) {
  put_words(prefix);
  for (auto const& fatal : fatal_signals)
    if (fatal.signal == signal) put_words(fatal.name);
  if (auto const* const words = position().load()) {
    put_words(", in ");
    put_words(words);
  }
  put_words("\n");
  if (leave != nullptr) leave();
  // Blocked here, it ends the process on return.
  ::raise(signal);
}

}  // namespace

void tell_fatal_signals(std::int64_t rank, std::int64_t ranks, void (*goodbye)()) {
#ifdef __SANITIZE_ADDRESS__
  (void)rank, (void)ranks, (void)goodbye, (void)&tell_last_words;  // the sanitizer tells more
#else
  if (ranks > 1)
    std::snprintf(prefix, sizeof prefix,
                  "lbann-run: error: rank %lld: ", static_cast<long long>(rank));
  leave = goodbye;
  struct sigaction action {};
  action.sa_handler = &tell_last_words;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (auto const& fatal : fatal_signals) ::sigaction(fatal.signal, &action, nullptr);
#endif
}

}  // namespace lbann::runtime
