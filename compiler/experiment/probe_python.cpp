// Starts the worker of the runtime, hears what it says first, and lets it end.
#include "compiler/experiment/probe_python.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "schemas/data_readers/python_worker.hpp"

namespace lbann::compiler {

namespace {

/// A started worker; killed at the end, as nothing more is asked of it.
struct Worker {
  pid_t process = -1;
  int stream = -1;
  Worker() = default;
  Worker(Worker const&) = delete;
  ~Worker() {
    if (stream >= 0) ::close(stream);
    if (process < 0) return;
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
};

Result<Success> start(Worker& worker, data_readers::python const& reader,
                      DataPlaces const& places) {
  auto const interpreter = places.interpreter();
  auto const folder = places.find_folder(reader.module_dir);
  if (!folder) return Problem{"there is no folder `" + reader.module_dir + "` here"};
  int ends[2] = {-1, -1};
  int const script = ::memfd_create("lbann python worker", MFD_CLOEXEC);
  auto const size = static_cast<ssize_t>(python_worker.size());
  if (script < 0 || ::pwrite(script, python_worker.data(), python_worker.size(), 0) != size ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Problem{std::string("cannot start Python: ") + std::strerror(errno)};
  // Above the files that the process is given.
  int const stream = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  int const text = ::fcntl(script, F_DUPFD_CLOEXEC, 10);
  auto words = python_worker_command(reader, interpreter, *folder);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, text, 0);
  ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, 1);  // what a module prints
  ::posix_spawn_file_actions_adddup2(&actions, stream, python_stream);
  auto const refused = ::posix_spawnp(&worker.process, interpreter.c_str(), &actions, nullptr,
                                      arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  for (int const file : {script, text, stream, ends[1]}) ::close(file);
  worker.stream = ends[0];
  if (refused == 0) return Success{};
  worker.process = -1;
  return Problem{"the interpreter `" + interpreter + "` cannot be started: " +
                 std::strerror(refused) + "; name one by --python or in LBANN_PYTHON"};
}

/// Reads `count` bytes before `deadline`.
Result<std::string> receive(Worker const& worker, std::size_t count,
                            std::chrono::steady_clock::time_point deadline) {
  std::string bytes(count, '\0');
  for (std::size_t done = 0; done < count;) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return Problem{"it has not answered in time; see `start_timeout`"};
    pollfd wanted{worker.stream, POLLIN, 0};
    if (::poll(&wanted, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 1000))) <= 0)
      continue;
    auto const got = ::read(worker.stream, bytes.data() + done, count - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Problem{"its process ended before it answered"};
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace

Result<DataFacts> probe_python(data_readers::python const& reader, DataPlaces const& places) {
  constexpr std::int64_t longest_text = 1 << 20;
  Worker worker;
  if (auto started = start(worker, reader, places); !started) return started.problem();
  auto const deadline = std::chrono::steady_clock::now() +
                        std::chrono::milliseconds(
                            static_cast<std::int64_t>(1e3 * std::min(reader.start_timeout, 1e6)));
  std::int64_t head[2] = {};
  auto const first = receive(worker, sizeof(head), deadline);
  if (!first) return first.problem();
  std::memcpy(head, first.value().data(), sizeof(head));
  auto const [status, length] = head;
  if (length < 0 || length > longest_text) return Problem{"it answers something else"};
  auto const text = receive(worker, static_cast<std::size_t>(length), deadline);
  if (!text) return text.problem();
  std::istringstream lines(text.value());
  std::string line;
  std::getline(lines, line);
  if (status != 0) {
    std::string const trace = text.value().substr(std::min(line.size() + 1, text.value().size()));
    auto const last = trace.rfind('\n') == trace.npos ? 0 : trace.rfind('\n') + 1;
    return Problem{trace.substr(last) + "\n" + trace};
  }
  DataFacts facts;
  facts.samples = std::strtoll(line.c_str(), nullptr, 10);
  for (auto const& name : reader.data_fields) {
    facts.fields.push_back({name, {}});
    std::getline(lines, line);
    std::istringstream numbers(line);
    for (std::int64_t size = 0; numbers >> size;) facts.fields.back().dims.push_back(size);
    if (!checked_product(facts.fields.back().dims))
      return Problem{"samples of `" + name + "` are too large to count"};
  }
  return facts;
}

}  // namespace lbann::compiler
