// Another program that runs beside this one.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// How a process ended.
struct ChildEnd {
  int code = 0;    ///< that it ended with itself
  int signal = 0;  ///< that it died of; 0: none
};

/// A process of ours. Destroyed before it has ended: it is given 200 ms for that, then killed.
class ChildProcess {
 public:
  /// A file of ours and the number it has there.
  struct File {
    int ours, theirs;
  };

  ChildProcess() = default;
  ChildProcess(ChildProcess&& other) noexcept : process_(std::exchange(other.process_, -1)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept {
    std::swap(process_, other.process_);
    return *this;
  }
  ~ChildProcess();

  /// Starts `words[0]`, looked up on PATH, with the other words as arguments, with these files
  /// beside the standard ones that they do not replace. By `posix_spawn`: this process is never
  /// copied. The problem is what the system says of why it cannot.
  static Result<ChildProcess> start(std::vector<std::string> const& words,
                                    std::span<File const> files);

  /// How it ended, if it does so before the time is over; nothing, too, when that has been told.
  std::optional<ChildEnd> ended_within(std::chrono::milliseconds time);
  /// The same, however long it takes.
  std::optional<ChildEnd> wait();

 private:
  explicit ChildProcess(int process) : process_(process) {}
  std::optional<ChildEnd> look(int options);

  int process_ = -1;
};

}  // namespace lbann
