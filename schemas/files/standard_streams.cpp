// Standard input, output and error of a command.
#include "schemas/files/standard_streams.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace lbann {

namespace {

void go_on(int /*signal*/) {}

/// A handler and not SIG_IGN, which programs started by this one would inherit.
void survive(int signal) {
  struct sigaction now {};
  if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
  now.sa_handler = &go_on;
  now.sa_flags = SA_RESTART;
  ::sigaction(signal, &now, nullptr);
}

}  // namespace

void prepare_standard_streams() {
  // Read-only output fails as a closed one does. Errors have nowhere to go: they are lost.
  constexpr int modes[] = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", modes[descriptor]);  // gets the lowest number that is free
  survive(SIGPIPE);
  survive(SIGXFSZ);
}

Result<Success> print(std::string_view text) {
  errno = 0;
  bool const written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return Success{};
  return Problem{std::string("standard output cannot be written: ") + std::strerror(errno)};
}

}  // namespace lbann
