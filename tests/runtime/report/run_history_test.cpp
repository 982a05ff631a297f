// Folders of runs: what is read, and what is refused.
#include "runtime/report/run_history.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;

namespace {

namespace fs = std::filesystem;

constexpr std::string_view step =
    R"({"event":"step","epoch":0,"step":4,"samples":8,"seconds":0.1,"waited":0,"learning_rates":{"all":0.5},"objective":2.5,"metrics":{"error":null}})";
constexpr std::string_view pass =
    R"({"event":"epoch","mode":"training","epoch":1,"samples":20,"seconds":0.3,"waited":0.1,"complete":true,"objective":null,"metrics":{"error":7}})";

void write(fs::path const& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string problem_of(std::string_view metrics, std::string_view provenance = "") {
  test::ScratchFolder const scratch;
  write(scratch.path() / "metrics.jsonl", metrics);
  if (!provenance.empty()) write(scratch.path() / "provenance.jsonl", provenance);
  auto const run = read_history(scratch.path());
  return run ? "" : run.problem().message;
}

}  // namespace

TEST_CASE("steps and passes; null is no number; a line being written is left out") {
  test::ScratchFolder const scratch;
  auto const text =
      std::string(step) + "\n" + std::string(pass) + "\n" + std::string(step.substr(0, 50));
  write(scratch.path() / "metrics.jsonl", text);
  auto const read = read_history(scratch.path());
  REQUIRE_MESSAGE(read.good(), read.problem().message);
  auto const& run = read.value();
  REQUIRE(run.steps.size() == 1);
  CHECK(run.steps[0].step == 4);
  CHECK(run.steps[0].objective == 2.5);
  CHECK(run.steps[0].learning_rates == NamedNumbers{{"all", 0.5}});
  REQUIRE(run.passes.size() == 1);
  CHECK(run.passes[0].waited == 0.1);
  CHECK(std::isnan(run.passes[0].objective));
  CHECK(run.passes[0].metrics == NamedNumbers{{"error", 7}});
  CHECK(run.epochs() == 2);
  CHECK(contains(run.plan_problem, "plan.bin"));
}

TEST_CASE("metrics of versions before waits and learning rates") {
  CHECK(problem_of(R"({"event":"step","step":4,"objective":2.5})"
                   "\n") == "");
}

TEST_CASE("lines that are something else are problems with their place") {
  auto const good = std::string(step) + "\n";
  CHECK(
      contains(problem_of(good + "what\n" + good), "metrics.jsonl:2: is not a line of this file"));
  CHECK(contains(problem_of("[1]\n" + good), "metrics.jsonl:1: "));
  CHECK(contains(problem_of(R"({"event":"epoch","mode":"dreaming"})"
                            "\n"),
                 "`mode` is `dreaming`"));
  CHECK(contains(problem_of(good, "{}\n"), "provenance.jsonl:1: "));
  CHECK(contains(read_history("/nowhere").problem().message, "/nowhere/metrics.jsonl: "));
}

TEST_CASE("folders of trainers are runs of their own") {
  test::ScratchFolder const scratch;
  auto const run = scratch.path() / "model_1";
  CHECK(contains(folders_of_run(run).problem().message, "is not the folder of a run"));
  for (auto const* trainer : {"trainer0", "trainer1"})
    write(run / trainer / "metrics.jsonl", std::string(pass) + "\n");
  auto const folders = folders_of_run(run);
  REQUIRE(folders.good());
  CHECK(folders.value() == std::vector{run / "trainer0", run / "trainer1"});
  CHECK(read_history(run / "trainer1").value().name == "model_1/trainer1");
}
