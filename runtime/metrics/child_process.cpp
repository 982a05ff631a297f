// Another program, run to its end.
#include "runtime/metrics/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace lbann::runtime {

namespace {

/// Both ends of a pipe, closed with it.
class Pipe {
 public:
  Pipe() { good_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(Pipe const&) = delete;

  bool good() const { return good_; }
  int operator[](std::size_t end) const { return ends_[end]; }
  void close(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  bool good_;
};

/// Reads both until the child has closed them.
void read_all(Pipe& output, Pipe& errors, ChildOutcome& outcome) {
  std::array<Pipe*, 2> pipes{&output, &errors};
  std::array<std::string*, 2> texts{&outcome.output, &outcome.errors};
  while (output[0] >= 0 || errors[0] >= 0) {
    std::array<pollfd, 2> ready{{{output[0], POLLIN, 0}, {errors[0], POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (ready[i].revents == 0) continue;
      std::array<char, 4096> bytes;
      auto const count = ::read(ready[i].fd, bytes.data(), bytes.size());
      if (count > 0)
        texts[i]->append(bytes.data(), static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR)
        pipes[i]->close(0);
    }
  }
}

}  // namespace

Result<ChildOutcome> run_child(std::vector<std::string> const& words) {
  auto const failed = [&](int error) {
    return Problem{"`" + words[0] + "` cannot be started: " + std::strerror(error)};
  };
  Pipe output, errors;
  if (!output.good() || !errors.good()) return failed(errno);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
  std::vector<char*> arguments;
  for (auto const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  auto const error =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return failed(error);

  output.close(1);
  errors.close(1);
  ChildOutcome outcome;
  read_all(output, errors, outcome);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return failed(errno);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace lbann::runtime
