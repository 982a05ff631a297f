// Regular files opened to read, and nothing else.
#include "schemas/files/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lbann {

namespace {

/// What a file is that is not a regular one.
std::string kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "is a folder, not a file";
  if (S_ISFIFO(mode)) return "is a pipe, not a regular file";
  if (S_ISSOCK(mode)) return "is a socket, not a regular file";
  return "is a device, not a regular file";
}

}  // namespace

Problem call_problem(char const* what) { return {std::string(what) + ": " + std::strerror(errno)}; }

Result<RegularFile> RegularFile::open(std::string const& path, std::atomic<std::int64_t>* counter) {
  struct stat status {};
  // Before it is opened: for some devices that alone does something.
  if (::stat(path.c_str(), &status) != 0) return call_problem("cannot be opened");
  if (!S_ISREG(status.st_mode)) return Problem{kind_of(status.st_mode)};
  RegularFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.descriptor_ < 0 || ::fstat(file.descriptor_, &status) != 0)
    return call_problem("cannot be opened");
  if (!S_ISREG(status.st_mode)) return Problem{kind_of(status.st_mode)};
  file.size_ = status.st_size;
  file.counter_ = counter;
  return file;
}

RegularFile::~RegularFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::int64_t> RegularFile::read(std::int64_t begin, std::int64_t count, void* to) const {
  std::int64_t done = 0;
  while (done < count) {
    auto const got = ::pread(descriptor_, static_cast<std::uint8_t*>(to) + done,
                             static_cast<std::size_t>(count - done), begin + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return call_problem("cannot be read");
    if (got == 0) break;
    done += got;
  }
  if (counter_ != nullptr) counter_->fetch_add(done, std::memory_order_relaxed);
  return done;
}

Result<std::vector<std::uint8_t>> RegularFile::read_all(std::int64_t most) const {
  constexpr std::int64_t least = 1 << 16, piece = 1 << 22, reserved = 1 << 28;
  std::vector<std::uint8_t> bytes;
  // One byte more than it should have tells that it has ended.
  auto const expected = std::min(size_, most - 1) + 1;
  bytes.reserve(static_cast<std::size_t>(std::min(expected, reserved)));
  while (true) {
    auto const held = static_cast<std::int64_t>(bytes.size());
    auto const wanted = std::min(std::clamp(expected - held, least, piece), most - held);
    if (wanted <= 0) return bytes;
    bytes.resize(static_cast<std::size_t>(held + wanted));
    auto const got = read(held, wanted, bytes.data() + held);
    if (!got) return got.problem();
    bytes.resize(static_cast<std::size_t>(held + got.value()));
    if (got.value() < wanted) return bytes;
  }
}

}  // namespace lbann
