// Files that are no plans are refused with their name.
#include "runtime/loading/plan_file.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/runtime/regression.hpp"

using namespace lbann;

namespace {

std::string problem_of(std::filesystem::path const& path) {
  auto const plan = runtime::read_plan(path);
  return plan ? std::string() : plan.problem().message;
}

void write(std::filesystem::path const& path, std::span<std::uint8_t const> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<char const*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

TEST_CASE("a plan is read as it was written") {
  test::ScratchFolder const folder;
  auto const path = folder.path() / "plan.bin";
  auto const bytes = encode(test::regression_plan());
  write(path, bytes);
  auto const file = runtime::read_plan(path);
  REQUIRE(file.good());
  CHECK(file.value().bytes == bytes);
  CHECK(file.value().plan.experiment == "regression");
  CHECK(encode(file.value().plan) == bytes);
}

TEST_CASE("no file, a folder, an empty, a short and a foreign file are problems that name it") {
  test::ScratchFolder const folder;
  auto const path = folder.path() / "plan.bin";
  CHECK(problem_of(path) == path.string() + ": cannot be opened: No such file or directory");
  CHECK(problem_of(folder.path()).find("is a folder") != std::string::npos);
  auto bytes = encode(test::regression_plan());
  for (auto size : {std::size_t{0}, std::size_t{7}, bytes.size() / 2, bytes.size() - 1}) {
    CAPTURE(size);
    write(path, std::span(bytes).first(size));
    CHECK(problem_of(path).starts_with(path.string() + ": "));
  }
  bytes.push_back(0);
  write(path, bytes);
  CHECK_FALSE(problem_of(path).empty());
}

TEST_CASE("plan_of_trainer changes the number in the name of the file, not in that of a folder") {
  CHECK(runtime::plan_of_trainer("a/trainer0.bin", 12).value() == "a/trainer12.bin");
  CHECK(runtime::plan_of_trainer("trainer0", 0).value() == "trainer0");
  CHECK(runtime::plan_of_trainer("trainer0_of_trainer0.bin", 3).value() ==
        "trainer0_of_trainer3.bin");
  for (auto const* path : {"trainer0/plan.bin", "trainer1.bin", "Trainer0.bin"})
    CHECK(runtime::plan_of_trainer(path, 1).problem().message ==
          std::string(path) +
              ": with --plan-per-trainer the name of the file must have `trainer0` in it, for "
              "which trainer 1 reads `trainer1` and so on");
}
