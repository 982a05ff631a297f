// Signals end a process at once where nothing is to be kept, and are noted where something is.
#include "runtime/process/signals.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

using namespace lbann::runtime;

namespace {

/// What a process gives that `body` runs in: its exit code, or minus the signal it dies of.
template <class Body>
int outcome_of(Body body) {
  auto const process = ::fork();
  if (process == 0) {
    ::alarm(60);
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

struct Case {
  int signal, code;
};
constexpr std::array<Case, 3> cases = {{{SIGTERM, 143}, {SIGUSR1, 75}, {SIGINT, 130}}};

}  // namespace

TEST_CASE("without a watch a signal ends the process with its code, waiting calls included") {
  for (auto const [signal, usual_code] : cases) {
    // A job that is warned before it trains is not to be requeued.
    auto const code = signal == SIGUSR1 ? 1 : usual_code;
    CHECK(outcome_of([&, signal = signal] {
            end_at_signals(false, nullptr);
            ::raise(signal);
          }) == code);
    // A read that is started again after a handler would never end.
    CHECK(outcome_of([&, signal = signal] {
            end_at_signals(false, nullptr);
            int ends[2] = {};
            if (::pipe(ends) != 0) return;
            auto const parent = ::getpid();
            if (::fork() == 0) {
              ::usleep(10000);
              ::kill(parent, signal);
              ::_exit(0);
            }
            char byte = 0;
            [[maybe_unused]] auto const got = ::read(ends[0], &byte, 1);
          }) == code);
  }
}

TEST_CASE("with a watch a signal is noted; when it goes, the next one ends the process") {
  for (auto const [signal, code] : cases)
    CHECK(outcome_of([&, signal = signal] {
            end_at_signals(false, nullptr);
            {
              SignalWatch const watch;
              ::raise(signal);
              if (SignalWatch::received() != signal) ::_exit(1);
            }
            ::raise(signal);
          }) == code);
}

TEST_CASE("a second SIGINT ends a process that notes the first") {
  CHECK(outcome_of([] {
          end_at_signals(false, nullptr);
          SignalWatch const watch;
          ::raise(SIGINT);
          ::raise(SIGINT);
        }) == -SIGINT);
}
