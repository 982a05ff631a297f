// Regular files are read; a pipe, a device, a socket and a folder are refused without waiting.
#include "schemas/files/regular_file.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace lbann;
namespace fs = std::filesystem;

namespace {

struct Scratch {
  fs::path path = fs::temp_directory_path() / ("regular_file_" + std::to_string(::getpid()));
  Scratch() { fs::create_directories(path); }
  ~Scratch() { fs::remove_all(path); }
};

std::string problem_of(fs::path const& path) {
  auto const file = RegularFile::open(path.string());
  return file ? std::string() : file.problem().message;
}

}  // namespace

TEST_CASE("the bytes of a file, all of them or some") {
  Scratch const scratch;
  auto const path = scratch.path / "file";
  std::string content;
  for (int i = 0; i < 300000; ++i) content += static_cast<char>(i % 251);
  std::ofstream(path, std::ios::binary) << content;
  auto const file = RegularFile::open(path.string());
  REQUIRE(file.good());
  CHECK(file.value().size() == 300000);
  auto const all = file.value().read_all();
  REQUIRE(all.good());
  CHECK(std::string(all.value().begin(), all.value().end()) == content);
  CHECK(file.value().read_all(1000).value().size() == 1000);
  CHECK(file.value().read_all(0).value().empty());
  char part[4] = {};
  CHECK(file.value().read(299998, 4, part).value() == 2);
  CHECK(part[1] == content.back());
}

TEST_CASE("a file of the system that tells no size is read to its end") {
  auto const file = RegularFile::open("/proc/self/status");
  REQUIRE(file.good());
  CHECK(file.value().size() == 0);
  CHECK(file.value().read_all().value().size() > 100);
}

TEST_CASE("what is no regular file is refused at once") {
  Scratch const scratch;
  CHECK(problem_of(scratch.path / "none") == "cannot be opened: No such file or directory");
  CHECK(problem_of(scratch.path) == "is a folder, not a file");
  CHECK(problem_of("/dev/zero") == "is a device, not a regular file");
  auto const pipe = scratch.path / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(problem_of(pipe) == "is a pipe, not a regular file");
  fs::create_symlink(pipe, scratch.path / "link");
  CHECK(problem_of(scratch.path / "link") == "is a pipe, not a regular file");
  int const listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (scratch.path / "socket").c_str(), sizeof(address.sun_path) - 1);
  REQUIRE(::bind(listening, reinterpret_cast<sockaddr const*>(&address), sizeof(address)) == 0);
  CHECK(problem_of(scratch.path / "socket") == "is a socket, not a regular file");
  ::close(listening);
}
