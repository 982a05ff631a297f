// Files of the system that one object owns.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace lbann {

/// A file that is closed at the end and not given to other processes. Its number is above those
/// that other processes are given.
class OwnFile {
 public:
  OwnFile() = default;
  /// Takes `file`, under another number; a negative one, as failed calls give, is none.
  explicit OwnFile(int file) : file_(file < 0 ? -1 : ::fcntl(file, F_DUPFD_CLOEXEC, first_free)) {
    if (file >= 0) ::close(file);
  }
  OwnFile(OwnFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  OwnFile& operator=(OwnFile&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~OwnFile() { close(); }

  int get() const { return file_; }
  bool open() const { return file_ >= 0; }
  void close() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
  }

 private:
  static constexpr int first_free = 10;
  int file_ = -1;
};

}  // namespace lbann
