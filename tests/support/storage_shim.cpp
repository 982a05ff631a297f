// Preloaded into lbann-run: kills the process within a call that changes files below a folder, or
// lets such calls fail, and records what has been brought to the disk, so that a power failure can
// be simulated.
//
//   STORAGE_ROOT=FOLDER     below it calls count
//   STORAGE_ONLY=TEXT       only those whose path has this text
//   STORAGE_KILL=RANK:N     rank RANK ends by SIGKILL in its N-th call: before an odd one, after an
//                           even one, halfway through a write
//   STORAGE_FAIL=RANK:N:M:ERROR   calls N to M of rank RANK fail with this number of errno
//   STORAGE_RECORD=FOLDER   `events` and copies of synced files lie there, outside of the root:
//                             F KEY COPY              a file was synced, COPY holds its bytes
//                             D KEY NAME/TYPE/KEY ... a folder was synced, these are its entries
//                             K                       a process was killed
//
// A key is inode and birth, which stay when a file is renamed. What was written without a call of
// these, by streams, is seen by syncfs only.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

namespace {

template <class Function>
Function* next(char const* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::string environment(char const* name) {
  char const* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string const& root() {
  static std::string const folder = environment("STORAGE_ROOT");
  return folder;
}

std::string const& record() {
  static std::string const folder = environment("STORAGE_RECORD");
  return folder;
}

bool is_of_this_rank(std::string const& wish) {
  auto rank = environment("OMPI_COMM_WORLD_RANK");
  if (rank.empty()) rank = "0";
  return wish.compare(0, rank.size() + 1, rank + ':') == 0;
}

/// The call in which this process is killed; 0: none.
long last_call() {
  static long const call = [] {
    auto const wish = environment("STORAGE_KILL");
    return is_of_this_rank(wish) ? std::atol(wish.c_str() + wish.find(':') + 1) : 0L;
  }();
  return call;
}

/// The calls that fail, and how.
struct Failing {
  long first = 0, last = -1;
  int error = 0;
};

Failing const& failing() {
  static Failing const calls = [] {
    Failing wanted;
    auto const wish = environment("STORAGE_FAIL");
    if (is_of_this_rank(wish))
      std::sscanf(wish.c_str(), "%*d:%ld:%ld:%d", &wanted.first, &wanted.last, &wanted.error);
    return wanted;
  }();
  return calls;
}

bool is_below_root(std::string const& path) {
  static std::string const only = environment("STORAGE_ONLY");
  return !root().empty() && path.compare(0, root().size(), root()) == 0 &&
         path.find(only) != path.npos;
}

std::string path_of(int file) {
  char path[PATH_MAX];
  auto const link = "/proc/self/fd/" + std::to_string(file);
  auto const length = ::readlink(link.c_str(), path, sizeof path);
  return length < 0 ? "" : std::string(path, static_cast<std::size_t>(length));
}

std::string absolute(char const* path) {
  if (path[0] == '/') return path;
  char folder[PATH_MAX];
  return std::string(::getcwd(folder, sizeof folder) == nullptr ? "" : folder) + '/' + path;
}

void write_event(std::string const& line) {
  if (record().empty()) return;
  static int const events =
      ::open((record() + "/events").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  static auto* const real = next<ssize_t(int, void const*, size_t)>("write");
  auto const text = line + '\n';
  if (real(events, text.data(), text.size()) < 0) std::abort();
}

[[noreturn]] void end_process() {
  write_event("K");
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

enum class Fate { goes_on, is_last, fails };

/// Counts a call; what becomes of it. Where it is the last, the process must end after it.
Fate next_fate() {
  static std::atomic<long> calls{0};
  auto const number = calls.fetch_add(1) + 1;
  if (number >= failing().first && number <= failing().last) {
    errno = failing().error;
    return Fate::fails;
  }
  if (number != last_call()) return Fate::goes_on;
  if (number % 2 != 0) end_process();
  return Fate::is_last;
}

template <class Call>
int counted(std::string const& path, Call&& call) {
  if (!is_below_root(path)) return call();
  auto const fate = next_fate();
  if (fate == Fate::fails) return -1;
  auto const result = call();
  if (fate == Fate::is_last) end_process();
  return result;
}

/// Half of the last write is done.
template <class Call>
ssize_t counted_write(int file, std::size_t count, Call&& call) {
  if (file <= 2 || !is_below_root(path_of(file))) return call(count);
  auto const fate = next_fate();
  if (fate == Fate::fails) return -1;
  auto const written = call(fate == Fate::is_last ? count / 2 : count);
  if (fate == Fate::is_last) end_process();
  return written;
}

std::string key_of(int folder, char const* name) {
  struct statx status {};
  if (::statx(folder, name, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME,
              &status) != 0)
    return "gone";
  return std::to_string(status.stx_ino) + '.' + std::to_string(status.stx_btime.tv_sec) + '.' +
         std::to_string(status.stx_btime.tv_nsec);
}

void record_file(int file) {
  static std::atomic<int> copies{0};
  static auto* const real = next<ssize_t(int, void const*, size_t)>("write");
  auto const name = std::to_string(::getpid()) + '_' + std::to_string(copies.fetch_add(1));
  int const from = ::open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDONLY | O_CLOEXEC);
  int const to = ::open((record() + '/' + name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  char bytes[1 << 16];
  for (ssize_t count = 0; (count = ::read(from, bytes, sizeof bytes)) > 0;)
    if (real(to, bytes, static_cast<std::size_t>(count)) != count) std::abort();
  ::close(from);
  ::close(to);
  write_event("F " + key_of(file, "") + ' ' + name);
}

/// The entries of a folder; with `deep` all that lies below it as well.
void record_folder(int folder, bool deep) {
  int const own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const entries = own < 0 ? nullptr : ::fdopendir(own);
  if (entries == nullptr) return;
  std::string line = "D " + key_of(folder, "");
  while (auto const* const entry = ::readdir(entries)) {
    std::string const name = entry->d_name;
    if (name == "." || name == "..") continue;
    char const type = entry->d_type == DT_DIR ? 'd' : entry->d_type == DT_LNK ? 'l' : 'f';
    line += ' ' + name + '/' + type + '/' + key_of(folder, name.c_str());
    if (!deep || type == 'l') continue;
    int const file = ::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) continue;
    if (type == 'd')
      record_folder(file, true);
    else
      record_file(file);
    ::close(file);
  }
  ::closedir(entries);
  write_event(line);
}

std::mutex recording;

int after_sync(int file, int result) {
  if (result != 0 || record().empty()) return result;
  std::lock_guard const lock(recording);
  struct stat status {};
  if (::fstat(file, &status) != 0) return result;
  if (S_ISDIR(status.st_mode))
    record_folder(file, false);
  else
    record_file(file);
  return result;
}

}  // namespace

// The names of calls with offsets are those of 64 bits: _FILE_OFFSET_BITS is 64.
extern "C" {

int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  auto const path = path_of(file);
  return counted(path,
                 [&] { return is_below_root(path) ? after_sync(file, real(file)) : real(file); });
}

int fdatasync(int file) {
  static auto* const real = next<int(int)>("fdatasync");
  auto const path = path_of(file);
  return counted(path,
                 [&] { return is_below_root(path) ? after_sync(file, real(file)) : real(file); });
}

int syncfs(int file) {
  static auto* const real = next<int(int)>("syncfs");
  if (root().empty()) return real(file);
  return counted(path_of(file), [&] {
    // The whole system need not wait.
    if (record().empty()) return 0;
    std::lock_guard const lock(recording);
    int const top = ::open(root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    record_folder(top, true);
    ::close(top);
    return 0;
  });
}

ssize_t pwrite(int file, void const* bytes, size_t count, off_t at) {
  static auto* const real = next<ssize_t(int, void const*, size_t, off_t)>("pwrite64");
  return counted_write(file, count, [&](size_t part) { return real(file, bytes, part, at); });
}

ssize_t write(int file, void const* bytes, size_t count) {
  static auto* const real = next<ssize_t(int, void const*, size_t)>("write");
  return counted_write(file, count, [&](size_t part) { return real(file, bytes, part); });
}

int rename(char const* from, char const* to) {
  static auto* const real = next<int(char const*, char const*)>("rename");
  return counted(absolute(to), [&] { return real(from, to); });
}

int renameat2(int from_folder, char const* from, int to_folder, char const* to,
              unsigned int flags) {
  static auto* const real =
      next<int(int, char const*, int, char const*, unsigned int)>("renameat2");
  return counted(absolute(to), [&] { return real(from_folder, from, to_folder, to, flags); });
}

int unlink(char const* path) {
  static auto* const real = next<int(char const*)>("unlink");
  return counted(absolute(path), [&] { return real(path); });
}

int remove(char const* path) {
  static auto* const real = next<int(char const*)>("remove");
  return counted(absolute(path), [&] { return real(path); });
}

int rmdir(char const* path) {
  static auto* const real = next<int(char const*)>("rmdir");
  return counted(absolute(path), [&] { return real(path); });
}

int mkdir(char const* path, mode_t mode) {
  static auto* const real = next<int(char const*, mode_t)>("mkdir");
  return counted(absolute(path), [&] { return real(path, mode); });
}

int ftruncate(int file, off_t length) {
  static auto* const real = next<int(int, off_t)>("ftruncate64");
  return counted(path_of(file), [&] { return real(file, length); });
}

}  // extern "C"
