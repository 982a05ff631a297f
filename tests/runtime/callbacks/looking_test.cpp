// Callbacks that look at samples, initial weights, memory and the model.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/callbacks/callbacks.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;

namespace {

/// A run of the regression with one callback.
test::RunRecord run_with(auto const& callback, std::filesystem::path const& work = {}) {
  auto plan = test::regression_plan();
  plan.callbacks = {{to_record(callback), Span{0, 0, 5}}};
  return test::run_regression(plan, work);
}

std::string text_of_file(std::filesystem::path const& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("check_dataset refuses a pass that does not see its samples") {
  // The feed of this test does not tell which samples it gives.
  auto const problem = run_with(callbacks::check_dataset{}).problem;
  CHECK(contains(problem, "regression.yaml:1:1: "));
  CHECK(contains(problem, "0 of 20 samples were seen"));
}

TEST_CASE("init has nothing to compare on a single process") {
  CHECK(run_with(callbacks::init{}).problem == "");
}

TEST_CASE("dump_mb_indices writes a file for each step it is told") {
  test::ScratchFolder const folder;
  callbacks::dump_mb_indices dump;
  dump.basename = "indices/of_";
  dump.interval = 4;
  REQUIRE(run_with(dump, folder.path() / "work").problem == "");
  std::size_t count = 0;
  for (auto const& entry : std::filesystem::directory_iterator(folder.path() / "work/indices"))
    count += entry.is_regular_file() ? 1 : 0;
  CHECK(count == 3);
  CHECK(text_of_file(folder.path() / "work/indices/of_model0-rank0-epoch2-step8-MB_Indices") == "");
}

TEST_CASE("dump_model_graph writes the layers of the plan") {
  test::ScratchFolder const folder;
  callbacks::dump_model_graph dump;
  dump.print_ = true;
  auto const record = run_with(dump, folder.path() / "work");
  REQUIRE(record.problem == "");
  auto const graph = text_of_file(folder.path() / "work/model.dot");
  CHECK(graph.starts_with("digraph \""));
  CHECK(contains(record.console, graph));
}

TEST_CASE("gpu_memory_usage tells of arenas after each epoch") {
  auto const console = run_with(callbacks::gpu_memory_usage{}).console;
  for (auto const* epoch : {"0", "1", "2"})
    CHECK(contains(console, "training epoch " + std::string(epoch) + " memory usage : no device, "));
}

TEST_CASE("memory_profiler tells what memory is for") {
  callbacks::memory_profiler profiler;
  auto const brief = run_with(profiler).console;
  CHECK(contains(brief, "memory profile : weights "));
  profiler.detailed_first_step = true;
  CHECK(run_with(profiler).console.size() >= brief.size());
}

TEST_CASE("compute_model_size fills weights with the number of all") {
  callbacks::compute_model_size size;
  size.output_name = "slope";
  size.batch_interval = 100;
  auto const record = run_with(size);
  REQUIRE(record.problem == "");
  // Set before the first step only; the first objective is that of slopes of 3.
  CHECK(record.steps.at(0).objective ==
        doctest::Approx(test::expected_objectives(test::regression_plan(), {3, 3, 3}).at(0)));
}
