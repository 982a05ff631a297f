// Replaces a folder of files, whole or not at all.
#include "runtime/checkpoints/saving_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <utility>
#include <vector>

namespace lbann::runtime {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::string_view saving_infix = ".saving-";
constexpr auto longest_save = 24h;

Problem refused(fs::path const& path, std::string const& what, std::error_code error) {
  return {path.string() + ": " + what + ": " + error.message()};
}

/// The kernel's boot id as 32 hexadecimal digits, unique to this machine and boot; empty if it is
/// unknown.
std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(file, text);
  std::erase_if(text, [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) == 0; });
  return text.size() == 32 ? text : std::string();
}

/// The first entry that is not a regular file (nor a link) of these names; or an error.
std::optional<fs::path> foreign_entry(fs::path const& folder, FileNames const& files,
                                      std::error_code& error) {
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    if (!fs::is_regular_file(entry->symlink_status(error)) ||
        !files.contains(entry->path().filename().string()))
      return entry->path();
  return std::nullopt;
}

/// Removes these files and the folder, if it holds no others; whether it is gone.
bool remove_folder(fs::path const& folder, FileNames const& files) {
  std::error_code error;
  if (foreign_entry(folder, files, error) || error) return false;
  for (auto const& name : files) fs::remove(folder / name, error);
  return ::rmdir(folder.c_str()) == 0;
}

/// Makes the names in a folder durable.
Result<Success> sync_folder(fs::path const& folder) {
  int const file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool const synced = file >= 0 && ::fsync(file) == 0;
  auto const error = errno;
  if (file >= 0) ::close(file);
  // Some file systems cannot sync folders; their names are durable by themselves.
  if (synced || error == EINVAL || error == EROFS || error == EACCES) return Success{};
  return refused(folder, "cannot be synced", {error, std::generic_category()});
}

/// All regular files in a folder; nothing if it holds anything else.
std::optional<FileNames> only_files(fs::path const& folder) {
  FileNames names;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (!fs::is_regular_file(entry->symlink_status(error))) return std::nullopt;
    names.insert(entry->path().filename().string());
  }
  return error ? std::nullopt : std::optional(names);
}

fs::file_time_type last_change(fs::path const& folder) {
  std::error_code error;
  auto last = fs::last_write_time(folder, error);
  if (error) return fs::file_time_type::max();
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    if (auto const time = entry->last_write_time(error); !error) last = std::max(last, time);
  return last;
}

/// Whether no process of this machine holds the folder locked; nothing if that is unknown.
std::optional<bool> is_unlocked(fs::path const& folder) {
  int const file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  bool const got = ::flock(file, LOCK_EX | LOCK_NB) == 0;
  bool const held = !got && errno == EWOULDBLOCK;
  ::close(file);
  return got || held ? std::optional(got) : std::nullopt;
}

}  // namespace

std::optional<Problem> refusal_of_folder(fs::path const& folder, FileNames const& files) {
  std::error_code error;
  auto const status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return std::nullopt;
  if (error) return refused(folder, "cannot be looked at", error);
  if (!fs::is_directory(status)) return Problem{folder.string() + ": is not a folder"};
  auto const foreign = foreign_entry(folder, files, error);
  if (error) return refused(folder, "cannot be read", error);
  if (!foreign) return std::nullopt;
  return Problem{folder.string() + ": holds " + foreign->filename().string() +
                 ", which is no file of this model and would be removed; name a folder of its own"};
}

bool write_at(int file, std::int64_t begin, std::span<std::byte const> bytes) {
  while (!bytes.empty()) {
    auto const count = ::pwrite(file, bytes.data(), bytes.size(), begin);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = ENOSPC;
    if (count <= 0) return false;
    begin += count;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

Result<SavingFolder> SavingFolder::create(fs::path const& target) {
  std::error_code error;
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
  if (error) return refused(target.parent_path(), "cannot be created", error);
  while (true) {
    auto name = target.string() + std::string(saving_infix) + boot_id() + "-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
      return refused(name, "cannot be created", {errno, std::generic_category()});
    SavingFolder folder(target, name, ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Before it was locked it looked abandoned, so another process may have removed it.
    bool const opened = folder.lock_ >= 0 || errno == ENOENT;
    if (!opened) return refused(name, "cannot be opened", {errno, std::generic_category()});
    if (folder.lock_ >= 0) ::flock(folder.lock_, LOCK_EX);
    if (!fs::exists(name, error)) continue;
    auto const mask = ::umask(0);
    ::umask(mask);
    ::chmod(name.c_str(), 0777 & ~mask);
    return folder;
  }
}

SavingFolder::SavingFolder(SavingFolder&& other) noexcept
    : target_(std::move(other.target_)),
      path_(std::exchange(other.path_, {})),
      lock_(std::exchange(other.lock_, -1)) {}

SavingFolder::~SavingFolder() {
  if (!path_.empty())
    if (auto const files = only_files(path_)) remove_folder(path_, *files);
  if (lock_ >= 0) ::close(lock_);
}

Result<Success> SavingFolder::replace_target(FileNames const& files) {
  std::error_code error;
  auto old = path_;
  if (::fsync(lock_) != 0)
    return refused(path_, "cannot be synced", {errno, std::generic_category()});
  if (!fs::exists(target_, error)) {
    fs::rename(path_, target_, error);
    if (error) return refused(target_, "cannot be put in place", error);
    old.clear();
  } else if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) !=
             0) {
    // A file system without exchange: for a moment there is no target, but never a partial one.
    old += ".old";
    fs::rename(target_, old, error);
    if (!error) fs::rename(path_, target_, error);
    if (error) return refused(target_, "cannot be replaced", error);
  }
  path_.clear();
  Result<Success> result = sync_folder(target_.has_parent_path() ? target_.parent_path() : ".");
  if (!result) return result;
  if (!old.empty() && !remove_folder(old, files)) {
    auto kept = target_.string() + ".kept-XXXXXX";
    if (::mkdtemp(kept.data()) != nullptr) fs::rename(old, kept, error);
    result = Problem{target_.string() +
                     ": is saved, but the folder that was there has got other files; it is " +
                     (error ? old.string() : kept) + " now"};
  }
  remove_abandoned(target_, target_);
  return result;
}

Result<Success> write_new(fs::path const& path, std::string_view bytes, bool synced) {
  int const file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  auto const failed = [&](char const* what) {
    auto const error = errno;
    if (file >= 0) ::close(file);
    return refused(path, what, {error, std::generic_category()});
  };
  if (file < 0) return failed("cannot be created");
  if (!write_at(file, 0, std::as_bytes(std::span(bytes))) || (synced && ::fsync(file) != 0))
    return failed("cannot be written");
  return ::close(file) == 0 ? Result<Success>(Success{}) : failed("cannot be written");
}

void remove_abandoned(fs::path const& target, fs::path const& fresh) {
  auto const start = target.filename().string() + std::string(saving_infix);
  auto const here = boot_id();
  auto const own = start + here + "-";
  auto const now = last_change(fresh);
  std::error_code error;
  auto const parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::vector<fs::path> candidates;
  fs::directory_iterator entry(parent, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    if (entry->path().filename().string().starts_with(start) &&
        fs::is_directory(entry->symlink_status(error)))
      candidates.push_back(entry->path());
  for (auto const& folder : candidates) {
    bool const of_this_machine = !here.empty() && folder.filename().string().starts_with(own) &&
                                 folder.extension() != ".old";
    auto const unlocked = of_this_machine ? is_unlocked(folder) : std::nullopt;
    if (!unlocked.value_or(now > last_change(folder) + longest_save)) continue;
    if (auto const files = only_files(folder)) remove_folder(folder, *files);
  }
}

}  // namespace lbann::runtime
