// Regular files opened to read, and nothing else.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// A regular file open to read, closed at the end and not given to other processes.
class RegularFile {
 public:
  /// Never waits: a pipe, a device or a socket could keep a program waiting for ever, or give bytes
  /// without end. The problem says why `path` cannot be opened or what it is; it does not name it.
  /// Bytes that are read are added to `counter`, if there is one.
  static Result<RegularFile> open(std::string const& path,
                                  std::atomic<std::int64_t>* counter = nullptr);

  RegularFile(RegularFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        size_(other.size_),
        counter_(other.counter_) {}
  RegularFile& operator=(RegularFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(size_, other.size_);
    std::swap(counter_, other.counter_);
    return *this;
  }
  ~RegularFile();

  /// Its descriptor, which stays its own.
  int descriptor() const { return descriptor_; }
  /// Its descriptor, to be closed by the caller.
  int release() { return std::exchange(descriptor_, -1); }
  /// Bytes it had when it was opened.
  std::int64_t size() const { return size_; }

  /// Reads up to `count` bytes from byte `begin` on to `to`; how many there were before its end.
  Result<std::int64_t> read(std::int64_t begin, std::int64_t count, void* to) const;
  /// All its bytes, at most `most` of them. Memory grows as bytes arrive.
  Result<std::vector<std::uint8_t>> read_all(
      std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;

 private:
  explicit RegularFile(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
  std::int64_t size_ = 0;
  std::atomic<std::int64_t>* counter_ = nullptr;
};

/// Why a file cannot be read, as open, fstat and read say it: `cannot be read: <errno in words>`.
Problem call_problem(char const* what);

}  // namespace lbann
