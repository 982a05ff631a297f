// Another program that runs beside this one.
#include "schemas/processes/child_process.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "schemas/processes/core_mask.hpp"

namespace lbann {

namespace {

constexpr std::chrono::milliseconds look_again{4}, time_to_end{200};

}  // namespace

Result<ChildProcess> ChildProcess::start(std::vector<std::string> const& words,
                                         std::span<File const> files) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (auto const& file : files)
    ::posix_spawn_file_actions_adddup2(&actions, file.ours, file.theirs);
  std::vector<char*> arguments;
  for (auto const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process = -1;
  OnAllCores const scope;
  auto const refused =
      ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (refused != 0) return Problem{std::strerror(refused)};
  return ChildProcess(process);
}

ChildProcess::~ChildProcess() {
  if (process_ < 0 || ended_within(time_to_end) || process_ < 0) return;
  ::kill(process_, SIGKILL);
  wait();
}

std::optional<ChildEnd> ChildProcess::look(int options) {
  int status = 0;
  pid_t found = -1;
  do found = ::waitpid(process_, &status, options);
  while (found < 0 && errno == EINTR);
  if (found == 0) return std::nullopt;  // still at work
  process_ = -1;
  if (found < 0) return std::nullopt;
  return WIFSIGNALED(status) ? ChildEnd{0, WTERMSIG(status)} : ChildEnd{WEXITSTATUS(status), 0};
}

std::optional<ChildEnd> ChildProcess::ended_within(std::chrono::milliseconds time) {
  for (auto left = time; process_ >= 0; left -= look_again) {
    if (auto const end = look(WNOHANG)) return end;
    if (left <= look_again) break;
    std::this_thread::sleep_for(look_again);
  }
  return std::nullopt;
}

std::optional<ChildEnd> ChildProcess::wait() { return process_ < 0 ? std::nullopt : look(0); }

}  // namespace lbann
