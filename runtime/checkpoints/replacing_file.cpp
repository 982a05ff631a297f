// Writes beside a file, then renames.
#include "runtime/checkpoints/replacing_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace lbann::runtime {

namespace {

Problem refused_file(std::filesystem::path const& path, std::string const& what) {
  return {path.string() + ": " + what + ": " +
          std::error_code(errno, std::generic_category()).message()};
}

}  // namespace

Result<ReplacingFile> ReplacingFile::create(std::filesystem::path const& target) {
  std::error_code error;
  auto const place = std::filesystem::weakly_canonical(target, error);
  if (error) return Problem{target.string() + ": cannot be written: " + error.message()};
  if (std::filesystem::is_directory(place, error))
    return Problem{target.string() + ": is a folder, not a file"};
  auto name = (place.parent_path() / ('.' + place.filename().string() + ".saving-XXXXXX")).string();
  int const file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return refused_file(target, "cannot be written, no file can be made beside it");
  auto const mask = ::umask(0);
  ::umask(mask);
  ReplacingFile made(place, name, file);
  if (::fchmod(file, 0666 & ~mask) != 0) return refused_file(target, "cannot be written");
  return made;
}

ReplacingFile::ReplacingFile(ReplacingFile&& other) noexcept
    : target_(std::move(other.target_)),
      path_(std::exchange(other.path_, {})),
      file_(std::exchange(other.file_, -1)) {}

ReplacingFile::~ReplacingFile() {
  if (file_ >= 0) ::close(file_);
  if (!path_.empty()) ::unlink(path_.c_str());
}

Result<Success> ReplacingFile::write(std::span<std::byte const> bytes) {
  while (!bytes.empty()) {
    auto const written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return refused_file(target_, "cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return Success{};
}

Result<Success> ReplacingFile::write(std::string_view bytes) {
  return write(std::as_bytes(std::span(bytes)));
}

Result<Success> ReplacingFile::write_at(std::int64_t offset, std::span<std::byte const> bytes) {
  while (!bytes.empty()) {
    auto const written = ::pwrite(file_, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return refused_file(target_, "cannot be written");
    offset += written;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return Success{};
}

Result<Success> ReplacingFile::replace_target() {
  bool const closed = ::fsync(file_) == 0 && ::close(std::exchange(file_, -1)) == 0;
  if (!closed) return refused_file(target_, "cannot be written");
  if (::rename(path_.c_str(), target_.c_str()) != 0)
    return refused_file(target_, "cannot be put in place");
  path_.clear();
  // The new name outlives a loss of power only once its folder is written; some file systems
  // refuse that, and the file is complete all the same.
  int const folder = ::open(target_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
  return Success{};
}

}  // namespace lbann::runtime
