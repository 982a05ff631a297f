// Whole files: what cannot be read says why, what is written is there whole or not at all.
#include "compiler/source/files.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

using namespace lbann::compiler;

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
