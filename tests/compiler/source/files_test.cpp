// Whole files: what cannot be read says why, what is written is there whole or not at all.
#include "compiler/source/files.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <sys/stat.h>

#include <filesystem>

using namespace lbann::compiler;

TEST_CASE("paths that name open descriptors, and those that do not") {
  CHECK(open_descriptor("-") == 0);
  CHECK(open_descriptor("/dev/stdin") == 0);
  CHECK(open_descriptor("/dev/fd/63") == 63);
  CHECK(open_descriptor("/proc/self/fd/7") == 7);
  for (auto const* path : {"", "a", "./-", "/dev/fd/", "/dev/fd/x", "/dev/fd/-1", "/dev/fd/3/x",
                           "/dev/fd/99999999999", "/dev/stdin2"})
    CHECK_MESSAGE(!open_descriptor(path), path);
}

TEST_CASE("a pipe is refused by its name and read by its descriptor") {
  auto const pipe = (std::filesystem::temp_directory_path() /
                     ("lbann_files_test_pipe_" + std::to_string(::getpid())))
                        .string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (auto const& refused : {read_file(pipe), read_input(pipe)}) {
    REQUIRE_FALSE(refused.good());
    CHECK(refused.problem().message.find(pipe + ": is a pipe") == 0);
  }
  std::filesystem::remove(pipe);
  int ends[2] = {};
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "text", 4) == 4);
  ::close(ends[1]);
  CHECK(read_input("/dev/fd/" + std::to_string(ends[0])).value() == "text");
  ::close(ends[0]);
}

TEST_CASE("write_file and read_file") {
  auto const folder =
      std::filesystem::temp_directory_path() / ("lbann_files_test_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  auto const path = (folder / "plan.bin").string();
  std::string const bytes(200000, '\0');
  REQUIRE(write_file(path, bytes).good());
  REQUIRE(write_file(path, bytes + "x").good());
  CHECK(read_file(path).value() == bytes + "x");
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);

  auto const missing = read_file((folder / "no such file").string());
  REQUIRE_FALSE(missing.good());
  CHECK(missing.problem().message.find("No such file") != std::string::npos);
  CHECK_FALSE(read_file(folder.string()).good());
  CHECK_FALSE(write_file(folder.string(), "x").good());
  CHECK_FALSE(write_file((folder / "a/b").string(), "x").good());
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  std::filesystem::remove_all(folder);
}
