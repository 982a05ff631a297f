// Every run gets a folder of its own.
#include "runtime/training/work_directory.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/runtime/regression.hpp"

using namespace lbann;
using runtime::make_work_directory;

TEST_CASE("folders are named after model and time and never shared") {
  test::ScratchFolder const scratch;
  auto const first = make_work_directory(scratch.path() / "runs", "", "lenet", 1'000'000'000);
  auto const second = make_work_directory(scratch.path() / "runs", "", "lenet", 1'000'000'000);
  REQUIRE(first.good());
  REQUIRE(second.good());
  CHECK(first.value().filename().string().starts_with("lenet_2001090"));
  CHECK(second.value() == first.value().string() + "_2");
  CHECK(std::filesystem::is_directory(second.value()));
  CHECK(first.value().is_absolute());
}

TEST_CASE("a model's name cannot leave the folder") {
  test::ScratchFolder const scratch;
  auto const made = make_work_directory(scratch.path(), "", "../a b/c", 0);
  REQUIRE(made.good());
  CHECK(made.value().parent_path() == scratch.path());
}

TEST_CASE("a folder that cannot be made is a problem that names it") {
  test::ScratchFolder const scratch;
  std::ofstream(scratch.path() / "file") << "x";
  auto const made = make_work_directory(scratch.path() / "file", "", "m", 0);
  REQUIRE_FALSE(made.good());
  CHECK(made.problem().message.starts_with((scratch.path() / "file").string()));
}

TEST_CASE("runs in different folders have different folders for their checkpoints") {
  test::ScratchFolder const scratch;
  auto const beside = scratch.path() / "checkpoints";
  auto const first = make_work_directory(scratch.path() / "a", beside, "m", 0);
  auto const second = make_work_directory(scratch.path() / "b", beside, "m", 0);
  REQUIRE(first.good());
  REQUIRE(second.good());
  CHECK(first.value().filename() != second.value().filename());
  CHECK(fs::is_directory(beside / first.value().filename()));
  CHECK(fs::is_directory(beside / second.value().filename()));
  CHECK(std::distance(fs::directory_iterator(scratch.path() / "b"), fs::directory_iterator()) == 1);
  CHECK(make_work_directory(scratch.path() / "a", "/proc/nowhere", "m", 0).good());
}
