// Reading and writing whole files.
#include "compiler/source/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "schemas/files/regular_file.hpp"

namespace lbann::compiler {

namespace {

Problem refused(std::string const& path, std::string const& what) {
  return {path + ": " + what + ": " + std::strerror(errno)};
}

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number > 2) ::close(number);
  }
};

}  // namespace

Result<std::string> read_file(std::string const& path, std::size_t most) {
  auto const file = RegularFile::open(path);
  if (!file) return Problem{path + ": " + file.problem().message};
  constexpr auto greatest = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  auto const bytes =
      file.value().read_all(static_cast<std::int64_t>(std::min(most, greatest - 1) + 1));
  if (!bytes) return Problem{path + ": " + bytes.problem().message};
  return std::string(bytes.value().begin(), bytes.value().end());
}

std::optional<int> open_descriptor(std::string const& path) {
  if (path == "-" || path == "/dev/stdin") return STDIN_FILENO;
  for (std::string_view const folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = 0;
    auto const* const end = path.data() + path.size();
    auto const [last, error] = std::from_chars(path.data() + folder.size(), end, number);
    if (error == std::errc{} && last == end && number >= 0) return number;
  }
  return std::nullopt;
}

Result<std::string> read_input(std::string const& path, std::size_t most) {
  auto const descriptor = open_descriptor(path);
  if (!descriptor) {
    auto bytes = read_file(path, most);
    auto const why = bytes ? std::string() : bytes.problem().message;
    if (!why.ends_with("not a regular file")) return bytes;
    return Problem{why + "; write its contents to one, or give - for standard input"};
  }
  std::string bytes;
  std::size_t held = 0;
  for (;;) {
    if (bytes.size() < held + 65536) bytes.resize(std::max(held * 2, held + 65536));
    auto const got = ::read(*descriptor, bytes.data() + held, bytes.size() - held);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refused(path, "cannot be read");
    if (got == 0) break;
    held += static_cast<std::size_t>(got);
    if (held > most) break;
  }
  bytes.resize(held);
  return bytes;
}

Result<Success> write_file(std::string const& path, std::string_view bytes) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return refused(path, "cannot be written");
  }
  bool const device = status.st_mode != 0 && !S_ISREG(status.st_mode);  // e.g. /dev/stdout
  auto temporary = device ? path : path + ".XXXXXX";
  Descriptor const file{device ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC)
                               : ::mkostemp(temporary.data(), O_CLOEXEC)};
  if (file.number < 0) return refused(path, "cannot be created");
  auto give_up = [&](std::string const& what) {
    auto problem = refused(path, what);
    if (!device) ::unlink(temporary.c_str());
    return problem;
  };
  while (!bytes.empty()) {
    auto const put = ::write(file.number, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return give_up("cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  if (device) return Success{};
  auto const mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(file.number, 0666 & ~mask) != 0) return give_up("cannot be given its mode");
  if (::rename(temporary.c_str(), path.c_str()) != 0) return give_up("cannot be put in place");
  return Success{};
}

}  // namespace lbann::compiler
