// `latest` follows the runs.
#include "runtime/training/run_folders.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/runtime/regression.hpp"

using namespace lbann;
namespace fs = std::filesystem;
using runtime::point_latest;

TEST_CASE("latest leads to the newest run") {
  test::ScratchFolder const scratch;
  for (auto const* name : {"m_1", "m_2"}) {
    fs::create_directory(scratch.path() / name);
    REQUIRE(point_latest(scratch.path() / name).good());
    CHECK(fs::read_symlink(scratch.path() / "latest") == name);
  }
  CHECK(std::distance(fs::directory_iterator(scratch.path()), {}) == 3);
}

TEST_CASE("a file that a user calls latest stays") {
  test::ScratchFolder const scratch;
  std::ofstream(scratch.path() / "latest") << "mine";
  auto const led = point_latest(scratch.path() / "m_1");
  REQUIRE_FALSE(led.good());
  CHECK(led.problem().message.find("is no link") != std::string::npos);
  CHECK(fs::is_regular_file(scratch.path() / "latest"));
}
