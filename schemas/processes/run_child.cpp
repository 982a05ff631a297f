// Another program, run to its end.
#include "schemas/processes/run_child.hpp"

#include <poll.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "schemas/processes/child_process.hpp"
#include "schemas/processes/own_file.hpp"

namespace lbann {

namespace {

/// What is written to `in` can be read from `out`.
struct Pipe {
  OwnFile out, in;

  Pipe() {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    out = OwnFile(ends[0]);
    in = OwnFile(ends[1]);
  }
  bool good() const { return out.open() && in.open(); }
};

constexpr int ask_again = 100, last_looks = 20;  // ms, and how often it is then still waited for

/// Reads both until the child has closed them, or is not to be waited for.
void read_all(OwnFile& output, OwnFile& errors, bool (*stop)(), ChildOutcome& outcome) {
  std::array<OwnFile*, 2> files{&output, &errors};
  std::array<std::string*, 2> texts{&outcome.output, &outcome.errors};
  for (int looks = last_looks; output.open() || errors.open();) {
    outcome.stopped = stop != nullptr && stop() && looks-- == 0;
    if (outcome.stopped) return;
    std::array<pollfd, 2> ready{{{output.get(), POLLIN, 0}, {errors.get(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), stop == nullptr ? -1 : ask_again) < 0 && errno != EINTR)
      return;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (ready[i].revents == 0) continue;
      std::array<char, 4096> bytes;
      auto const count = ::read(ready[i].fd, bytes.data(), bytes.size());
      if (count > 0)
        texts[i]->append(bytes.data(), static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR)
        files[i]->close();
    }
  }
}

}  // namespace

Result<ChildOutcome> run_child(std::vector<std::string> const& words, bool (*stop)()) {
  auto const failed = [&](std::string const& why) {
    return Problem{"`" + words[0] + "` cannot be started: " + why};
  };
  Pipe output, errors;
  OwnFile const nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!output.good() || !errors.good() || !nothing.open()) return failed(std::strerror(errno));
  ChildProcess::File const files[] = {
      {nothing.get(), 0}, {output.in.get(), 1}, {errors.in.get(), 2}};
  auto child = ChildProcess::start(words, files);
  if (!child) return failed(child.problem().message);
  output.in.close();
  errors.in.close();
  ChildOutcome outcome;
  read_all(output.out, errors.out, stop, outcome);
  if (outcome.stopped) return outcome;
  auto const end = child.value().wait();
  if (!end) return Problem{"`" + words[0] + "` is lost: " + std::strerror(errno)};
  outcome.exit_code = end->signal == 0 ? end->code : 128 + end->signal;
  return outcome;
}

}  // namespace lbann
