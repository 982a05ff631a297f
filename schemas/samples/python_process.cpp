// A process, a socket for requests and answers, a memfd for samples.
#include "schemas/samples/python_process.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "schemas/samples/python_worker.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

constexpr std::int64_t python_head = 64;           // bytes before the samples
constexpr std::int64_t wanted_memory = 16 << 20;   // bytes of samples of one request
constexpr std::int64_t most_python_samples = 256;  // of one request
constexpr std::int64_t longest_answer = 1 << 20;   // bytes of a text

Problem failed_call(char const* what) {
  return {std::string("cannot start Python: ") + what + ": " + std::strerror(errno)};
}

std::vector<std::int64_t> parse_numbers(std::string_view line) {
  std::vector<std::int64_t> numbers;
  while (!line.empty()) {
    std::int64_t number = 0;
    auto const [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc{}) return {};
    numbers.push_back(number);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (!line.empty()) line.remove_prefix(1);
  }
  return numbers;
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g s", seconds);
  return text;
}

}  // namespace

Result<std::unique_ptr<PythonProcess>> PythonProcess::start(PythonProgram const& program,
                                                            std::string const& interpreter,
                                                            int output) {
  std::unique_ptr<PythonProcess> process(new PythonProcess(program, interpreter));
  if (auto spawned = process->spawn(output); !spawned) return spawned.problem();
  return process;
}

Result<Success> PythonProcess::spawn(int output) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return failed_call("socketpair");
  OwnFile ours(ends[0]), theirs(ends[1]);
  OwnFile memory(::memfd_create("lbann samples", MFD_CLOEXEC));
  OwnFile script(::memfd_create("lbann python worker", MFD_CLOEXEC));
  for (auto const* file : {&ours, &theirs, &memory, &script})
    if (!file->open()) return failed_call("opening files");
  auto const size = static_cast<ssize_t>(python_worker.size());
  if (::pwrite(script.get(), python_worker.data(), python_worker.size(), 0) != size)
    return failed_call("write");

  ChildProcess::File const files[] = {
      {script.get(), 0}, {output, 1}, {theirs.get(), python_stream}, {memory.get(), python_memory}};
  std::vector<std::string> command = {interpreter_, "-"};
  command.insert(command.end(), program_.words.begin(), program_.words.end());
  auto started = ChildProcess::start(command, files);
  if (!started)
    return Problem{"cannot start the Python interpreter `" + interpreter_ +
                   "`: " + started.problem().message +
                   "; name one by --python or in the environment, LBANN_PYTHON"};
  process_ = std::move(started).value();
  stream_ = std::move(ours);
  memory_file_ = std::move(memory);
  progress_ = Clock::now();
  return Success{};
}

PythonProcess::~PythonProcess() {
  stream_.close();  // which ends the process, unless the user's function hangs
  if (memory_ != nullptr) ::munmap(memory_, static_cast<std::size_t>(memory_size_));
}

Result<PythonDescription> PythonProcess::describe() {
  auto const text = receive_answer();
  if (!text) return text.problem();
  PythonDescription description;
  std::string_view rest = text.value();
  for (bool first = true; !rest.empty(); first = false) {
    auto const line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    auto const tab = std::min(line.find('\t'), line.size());
    auto numbers = parse_numbers(line.substr(0, tab));
    if (numbers.empty()) return Problem{"the Python process answers `" + std::string(line) + "`"};
    if (first)
      description.samples = numbers[0];
    else
      description.fields.push_back(
          {std::string(line.substr(std::min(tab + 1, line.size()))), std::move(numbers)});
  }
  auto const told = description.fields.size(), asked = program_.fields.size();
  if (asked > 0 && told != asked)
    return Problem{"the Python process describes " + std::to_string(told) + " fields, " +
                   std::to_string(asked) + " were asked for"};
  if (auto mapped = map_memory(description); !mapped) return mapped.problem();
  return description;
}

Result<Success> PythonProcess::map_memory(PythonDescription const& description) {
  std::int64_t bytes = 0;
  for (auto [name, factors] : description.fields) {
    factors.push_back(static_cast<std::int64_t>(sizeof(double)));
    auto const product = checked_product(factors);
    if (!product || *product > (std::int64_t{1} << 48) - bytes)
      return Problem{"a sample of " + to_text(Shape(factors)) + " bytes is too large"};
    bytes += *product;
  }
  most_samples_ = std::clamp<std::int64_t>(wanted_memory / bytes, 1, most_python_samples);
  memory_size_ = python_head + most_samples_ * bytes;
  asked_.reserve(static_cast<std::size_t>(most_samples_));
  auto const size = static_cast<std::size_t>(memory_size_);
  // Reserved now: a page that is not there later would end the run without a word.
  auto const refused = ::posix_fallocate(memory_file_.get(), 0, memory_size_);
  auto* const place = refused != 0 ? MAP_FAILED
                                   : ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED,
                                            memory_file_.get(), 0);
  if (place == MAP_FAILED)
    return Problem{"no shared memory for samples from Python: " + std::to_string(memory_size_) +
                   " bytes asked for: " + std::strerror(refused != 0 ? refused : errno)};
  memory_ = static_cast<std::byte*>(place);
  return Success{};
}

Result<Success> PythonProcess::ask(std::span<std::int64_t const> numbers, DataType type) {
  asked_.assign(numbers.begin(), numbers.end());
  std::atomic_ref(*reinterpret_cast<std::int64_t*>(memory_)).store(0);
  seen_done_ = 0;
  progress_ = Clock::now();
  std::int64_t head[3] = {static_cast<std::int64_t>(numbers.size()),
                          static_cast<std::int64_t>(bytes_of(type)), memory_size_};
  auto const send_all = [&](void const* from, std::size_t bytes) {
    auto const* at = static_cast<char const*>(from);
    while (bytes > 0) {
      auto const sent = ::send(stream_.get(), at, bytes, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) return false;
      at += sent;
      bytes -= static_cast<std::size_t>(sent);
    }
    return true;
  };
  if (!send_all(head, sizeof(head)) || !send_all(numbers.data(), numbers.size_bytes()))
    return ended();
  return Success{};
}

Result<Success> PythonProcess::take_answer() {
  auto const text = receive_answer();
  if (!text) return text.problem();
  return Success{};
}

std::byte const* PythonProcess::values() const { return memory_ + python_head; }

Result<Success> PythonProcess::check_time() {
  auto const done = samples_done();
  auto const now = Clock::now();
  if (done != seen_done_) progress_ = now;
  seen_done_ = done;
  if (std::chrono::duration<double>(now - progress_).count() > limit().first) return too_slow();
  return Success{};
}

Result<Success> PythonProcess::receive(void* to, std::int64_t count) {
  auto* at = static_cast<char*>(to);
  while (count > 0) {
    pollfd wanted{stream_.get(), POLLIN, 0};
    auto const ready = ::poll(&wanted, 1, 200);
    if (ready < 0 && errno != EINTR) return ended();
    if (ready <= 0) {
      if (auto good = check_time(); !good) return good;
      continue;
    }
    auto const got = ::recv(stream_.get(), at, static_cast<std::size_t>(count), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ended();
    at += got;
    count -= got;
  }
  return Success{};
}

Result<std::string> PythonProcess::receive_answer() {
  std::int64_t head[2] = {};
  if (auto got = receive(head, sizeof(head)); !got) return got.problem();
  auto const [status, length] = head;
  if (length < 0 || length > longest_answer)
    return Problem{"the Python process answers with " + std::to_string(length) + " bytes"};
  std::string text(static_cast<std::size_t>(length), '\0');
  if (auto got = receive(text.data(), length); !got) return got.problem();
  if (status == 0) return text;
  // The number of the sample, then the traceback.
  auto const newline = std::min(text.find('\n'), text.size() - 1);
  auto const number = text.substr(0, newline), trace = text.substr(newline + 1);
  if (number == "-1") return Problem{program_.source + " cannot be used:\n" + trace};
  return Problem{"`" + program_.sample(number) + "` failed:\n" + trace};
}

std::int64_t PythonProcess::samples_done() const {
  if (memory_ == nullptr) return 0;
  return std::atomic_ref(*reinterpret_cast<std::int64_t*>(memory_)).load();
}

std::string PythonProcess::when() const {
  if (asked_.empty()) return " while it " + program_.import;
  auto const last = static_cast<std::int64_t>(asked_.size()) - 1;
  auto const place = std::clamp<std::int64_t>(samples_done(), 0, last);
  return " while it made sample " + std::to_string(asked_[static_cast<std::size_t>(place)]);
}

Problem PythonProcess::ended() {
  std::string how = "closed its stream";
  if (auto const end = process_.ended_within(std::chrono::seconds(1))) {
    how = end->signal != 0 ? std::string("was killed by signal ") + ::strsignal(end->signal)
                           : "ended with code " + std::to_string(end->code);
    if (end->signal == SIGKILL) how += " (out of memory?)";
  }
  return {"the Python process " + how + when()};
}

std::pair<double, char const*> PythonProcess::limit() const {
  if (asked_.empty()) return {program_.start_timeout, "start_timeout"};
  return {program_.sample_timeout, "sample_timeout"};
}

Problem PythonProcess::too_slow() const {
  auto const [seconds, field] = limit();
  return {"the Python process has not answered for " + seconds_text(seconds) + when() + "; `" +
          field + "` allows more"};
}

}  // namespace lbann
