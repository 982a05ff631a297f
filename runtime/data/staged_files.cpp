// Threads take files in their order; a lock on an unfinished copy keeps other jobs from it.
#include "runtime/data/staged_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "runtime/memory/arenas.hpp"
#include "schemas/plan/digest.hpp"
#include "schemas/processes/own_file.hpp"

namespace lbann::runtime {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t piece = std::size_t{1} << 22;
constexpr auto unfinished = ".part";

/// Of the running system: another one after every reboot.
std::string boot_name() {
  std::string name = "boot";
  std::ifstream("/proc/sys/kernel/random/boot_id") >> name;
  return name;
}

std::uint64_t hash_of(std::string const& path) {
  return digest({reinterpret_cast<std::uint8_t const*>(path.data()), path.size()});
}

std::string hex_text(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

/// The hash in the name of a copy.
std::uint64_t hash_in(std::string const& name) { return std::strtoull(name.c_str(), nullptr, 16); }

bool is_copy_of(struct stat const& copy, struct stat const& file) {
  return copy.st_size == file.st_size && copy.st_mtim.tv_sec == file.st_mtim.tv_sec &&
         copy.st_mtim.tv_nsec == file.st_mtim.tv_nsec;
}

std::string failed(char const* what, std::string const& path) {
  return "`" + path + "`: " + what + ": " + std::strerror(errno);
}

}  // namespace

Result<StagingOptions> staging_of(StagingOptions said, std::optional<Staging> const& plan) {
  auto const planned = plan.value_or(Staging{});
  std::error_code error;
  if (said.folder.empty() && plan && !fs::is_directory(planned.local_dir, error))
    return Problem{"there is no folder `" + planned.local_dir +
                   "` on this node, to which `staging` of the experiment is to copy data; make it, "
                   "or name another one with --staging"};
  if (said.folder.empty()) said.folder = planned.local_dir;
  if (said.most_bytes == 0) said.most_bytes = static_cast<std::int64_t>(planned.limit * 1e9);
  if (said.streams == 0) said.streams = planned.streams;
  return said;
}

StagedFiles::StagedFiles(std::string folder, StagingOptions const& options, std::int64_t rank,
                         std::int64_t ranks)
    : folder_(std::move(folder)),
      most_bytes_(options.most_bytes > 0 ? std::max<std::int64_t>(options.most_bytes / ranks, 1)
                                         : 0),
      streams_(std::max<std::int64_t>(options.streams / ranks, 1)),
      rank_(static_cast<std::uint64_t>(rank)),
      ranks_(static_cast<std::uint64_t>(ranks)) {}

Result<std::shared_ptr<StagedFiles>> StagedFiles::open(StagingOptions const& options,
                                                       std::int64_t rank, std::int64_t ranks) {
  auto const boot = boot_name();
  std::error_code error;
  auto const folder = (fs::absolute(options.folder) / ("staged-" + boot)).string();
  fs::create_directories(folder, error);
  if (error)
    return Problem{"`" + folder + "`: this folder for staging cannot be made: " + error.message()};
  // What another boot has left: nobody can tell whether it is whole.
  if (rank == 0)
    for (fs::directory_iterator at(options.folder, error), end; !error && at != end;
         at.increment(error)) {
      auto const name = at->path().filename().string();
      std::error_code ignored;
      if (name.starts_with("staged-") && name != "staged-" + boot)
        fs::remove_all(at->path(), ignored);
    }
  return std::shared_ptr<StagedFiles>(new StagedFiles(folder, options, rank, ranks));
}

std::int64_t StagedFiles::add(std::int64_t count, std::function<std::string(std::int64_t)> path) {
  added_.push_back({count_, count, std::move(path)});
  count_ += count;
  for (std::int64_t i = 0; i < count; ++i) staged_.emplace_back(false);
  return added_.back().first;
}

std::string StagedFiles::path_of(std::int64_t number) const {
  auto const& added = *std::ranges::find_if(
      added_, [&](Added const& one) { return number < one.first + one.count; });
  return fs::absolute(added.path(number - added.first)).string();
}

std::string StagedFiles::copy_of(std::string const& path) const {
  constexpr std::size_t most = 100;
  auto const name = fs::path(path).filename().string();
  return folder_ + "/" + hex_text(hash_of(path)) + "-" +
         name.substr(name.size() - std::min(most, name.size()));
}

/// Copies of other files than this run's are the first to go.
void StagedFiles::find_copies() {
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    auto const name = at->path().string();
    auto const hash = hash_in(at->path().filename().string());
    struct stat status {};
    if (hash % ranks_ != rank_ || ::stat(name.c_str(), &status) != 0) continue;
    used_ += status.st_size;
    if (!wanted_.contains(hash)) old_.push_back({name, status.st_size, status.st_atim.tv_sec});
  }
  std::ranges::sort(old_, std::greater<>{}, &Copy::used);
}

Result<Success> StagedFiles::start() {
  for (std::int64_t i = 0; i < count_; ++i) {
    auto const hash = hash_of(path_of(i));
    if (hash % ranks_ == rank_ && wanted_.insert(hash).second) ++own_;
  }
  find_copies();
  try {
    for (std::int64_t i = 0; i < std::min(streams_, count_); ++i)
      threads_.emplace_back([this] { work(); });
  } catch (std::system_error const& error) {
    if (threads_.empty())
      return Problem{std::string("cannot start a thread for staging: ") + error.what()};
  }
  return Success{};
}

void StagedFiles::stop() {
  stopping_ = true;
  threads_.clear();
}

void StagedFiles::work() {
  while (!stopping_) {
    auto const number = next_.fetch_add(1);
    if (number >= count_) return;
    stage(number);
  }
}

void StagedFiles::end_early(std::string const& why) {
  std::lock_guard const lock(mutex_);
  if (trouble_.empty()) trouble_ = why;
  stopping_ = true;
}

std::string StagedFiles::trouble() const {
  std::lock_guard const lock(mutex_);
  return trouble_;
}

/// Removes old copies until so many bytes more may be used.
bool StagedFiles::make_room(std::int64_t bytes) {
  std::lock_guard const lock(mutex_);
  while (most_bytes_ > 0 && used_ + bytes > most_bytes_ && !old_.empty()) {
    auto const oldest = old_.back();
    old_.pop_back();
    if (::unlink(oldest.name.c_str()) == 0 || errno == ENOENT) used_ -= oldest.bytes;
  }
  if (most_bytes_ > 0 && used_ + bytes > most_bytes_) return false;
  used_ += bytes;
  return true;
}

void StagedFiles::stage(std::int64_t number) {
  auto const path = path_of(number);
  if (hash_of(path) % ranks_ != rank_) return;
  auto const to = copy_of(path);
  struct stat file {
  }, there{};
  // A file that is missing is told by who reads it.
  if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return;
  if (::stat(to.c_str(), &there) == 0) {
    if (is_copy_of(there, file)) {
      timespec const times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
      ::utimensat(AT_FDCWD, to.c_str(), times, 0);
      ++found_;
      staged_[static_cast<std::size_t>(number)] = true;
      return;
    }
    ::unlink(to.c_str());
    make_room(-there.st_size);
  }
  if (!make_room(file.st_size))
    return end_early("its limit of " + std::to_string(most_bytes_) +
                     " bytes on this rank is reached");
  if (auto const trouble = copy(path, to, file)) {
    make_room(-file.st_size);
    if (!trouble->empty()) end_early(*trouble);
    return;
  }
  ++copied_;
  bytes_ += file.st_size;
  staged_[static_cast<std::size_t>(number)] = true;
}

/// Nothing where the copy is made; an empty text where another job makes it, or the file changes.
std::optional<std::string> StagedFiles::copy(std::string const& from, std::string const& to,
                                             struct stat const& status) const {
  // A part belongs to this state of the file alone.
  auto const part = to + "." + std::to_string(status.st_size) + "." +
                    std::to_string(status.st_mtim.tv_sec) + "." +
                    std::to_string(status.st_mtim.tv_nsec) + unfinished;
  OwnFile const source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!source.open()) return "";
  OwnFile const target(::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!target.open()) return failed("cannot be written", part);
  if (::flock(target.get(), LOCK_EX | LOCK_NB) != 0) return "";
  auto at = std::min<off_t>(::lseek(target.get(), 0, SEEK_END), status.st_size);
  thread_local std::vector<char> buffer(piece);
  while (at < status.st_size) {
    if (stopping_) return "";  // the next run goes on here
    auto const got = ::pread(source.get(), buffer.data(), piece, at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    for (ssize_t written = 0; written < got;) {
      auto const done = ::pwrite(target.get(), buffer.data() + written,
                                 static_cast<std::size_t>(got - written), at + written);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) {
        auto const why = failed("cannot be written", part);
        ::unlink(part.c_str());
        return why;
      }
      written += done;
    }
    at += got;
  }
  struct stat after {};
  timespec const times[2] = {{0, UTIME_NOW}, status.st_mtim};
  bool const same =
      at == status.st_size && ::fstat(source.get(), &after) == 0 && is_copy_of(after, status);
  if (!same) {
    ::unlink(part.c_str());
    return "";
  }
  if (::futimens(target.get(), times) == 0 && ::rename(part.c_str(), to.c_str()) == 0)
    return std::nullopt;
  // Another job has made it between our opening and our lock.
  return errno == ENOENT ? "" : failed("cannot be renamed", part);
}

std::string StagedFiles::place(std::int64_t number, std::string const& path) {
  auto& staged = staged_[static_cast<std::size_t>(number)];
  auto const absolute = fs::absolute(path).string();
  auto to = copy_of(absolute);
  if (!staged) {
    // Another rank of this node, or another job, may have copied it.
    struct stat file {
    }, there{};
    if (::stat(to.c_str(), &there) == 0 && ::stat(absolute.c_str(), &file) == 0 &&
        is_copy_of(there, file))
      staged = true;
  }
  if (staged && ::access(to.c_str(), R_OK) == 0) {
    ++from_copies_;
    return to;
  }
  ++from_files_;
  return path;
}

StagingCounts StagedFiles::counts() const {
  return {own_, copied_, bytes_, found_, from_copies_, from_files_};
}

std::string summary(StagedFiles const& staged, Communicator& ranks) {
  auto const mine = staged.counts();
  StagingCounts all;
  for (auto const& bytes : ranks.gather(std::as_bytes(std::span(&mine, 1)))) {
    StagingCounts one;
    std::memcpy(&one, bytes.data(), sizeof one);
    all.wanted += one.wanted;
    all.copied += one.copied;
    all.bytes += one.bytes;
    all.found += one.found;
    all.from_copies += one.from_copies;
    all.from_files += one.from_files;
  }
  auto text = fmt::format(
      "staging : {} of {} files were copied to {} ({}), {} were there; {} times a copy was read, "
      "{} "
      "times the file itself",
      all.copied, all.wanted, staged.folder(), bytes_text(all.bytes), all.found, all.from_copies,
      all.from_files);
  if (auto const trouble = staged.trouble(); !trouble.empty())
    text += "; copying ended early: " + trouble;
  return text;
}

}  // namespace lbann::runtime
