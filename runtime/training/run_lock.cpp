// Locks of the kernel: of an open file, not of a process.
#include "runtime/training/run_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace lbann::runtime {

RunLock::RunLock(RunLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

RunLock& RunLock::operator=(RunLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

RunLock::~RunLock() {
  if (file_ >= 0) ::close(file_);
}

Result<RunLock> RunLock::take(std::filesystem::path const& log, double seconds) {
  using Clock = std::chrono::steady_clock;
  RunLock lock;
  lock.file_ = ::open(log.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (lock.file_ < 0) return Problem{log.string() + ": cannot be written: " + std::strerror(errno)};
  auto const deadline = Clock::now() + std::chrono::duration<double>(seconds);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  while (::fcntl(lock.file_, F_OFD_SETLK, &whole) != 0) {
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EACCES) break;  // a file system without locks
    if (Clock::now() >= deadline)
      return Problem{log.parent_path().string() +
                     ": another lbann-run is training in this folder; let it end first, or train "
                     "in another --work-dir"};
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return lock;
}

}  // namespace lbann::runtime
