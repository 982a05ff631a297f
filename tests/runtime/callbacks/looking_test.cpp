// Callbacks that look at samples, initial weights, memory and the model.
#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "runtime/callbacks/make_callback.hpp"
#include "runtime/process/position.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;

extern "C" int lbann_hang;

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

TEST_CASE("hang waits until a debugger sets lbann_hang") {
  callbacks::hang hang;
  hang.rank = 1;
  auto const passed = run_with(hang);
  CHECK(passed.problem == "");
  CHECK(contains(passed.console, "callback `hang`: no rank 1 among 1, none waits"));

  hang.rank = 0;
  std::atomic<bool> waited{false}, ended{false};
  std::thread debugger([&] {
    auto const* const place = "callback `hang`";
    while (!ended && !waited) {
      auto const* const position = runtime::position().load();
      waited = position != nullptr && contains(position, place);
    }
    std::atomic_ref(lbann_hang).store(0);
  });
  CHECK(run_with(hang).problem == "");
  ended = true;
  debugger.join();
  CHECK(waited);
  std::atomic_ref(lbann_hang).store(1);
}

TEST_CASE("init has nothing to compare on a single process") {
  CHECK(run_with(callbacks::init{}).problem == "");
}

TEST_CASE("dump_mb_indices writes a file for each step it is told") {
  test::ScratchFolder const folder;
  callbacks::dump_mb_indices dump;
  dump.basename = "indices";
  dump.interval = 4;
  REQUIRE(run_with(dump, folder.path()).problem == "");
  // 9 steps of training; in each epoch one of validation, at the end one of testing.
  std::set<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(folder.path() / "indices/trainer0"))
    names.insert(entry.path().filename().string());
  auto const of = [](std::string const& place) { return place + "_r0-MB_Sample_Indices.txt"; };
  CHECK(names == std::set{of("training_e0_s0"), of("training_e1_s4"), of("training_e2_s8"),
                          of("validation_e0_s0"), of("validation_e1_s0"), of("validation_e2_s0"),
                          of("testing_e0_s0")});
  // The feed of this test does not tell which samples it gives.
  CHECK(text_of_file(folder.path() / "indices/trainer0" / of("training_e2_s8")) == "");
}

TEST_CASE("dump_model_graph writes the layers of the plan") {
  test::ScratchFolder const folder;
  callbacks::dump_model_graph dump;
  dump.print_ = true;
  auto const record = run_with(dump, folder.path());
  REQUIRE(record.problem == "");
  auto const graph = text_of_file(folder.path() / "model.dot");
  CHECK(graph.starts_with("digraph \""));
  CHECK(contains(record.console, graph));
}

TEST_CASE("gpu_memory_usage tells of arenas after each epoch") {
  auto const console = run_with(callbacks::gpu_memory_usage{}).console;
  for (auto const* epoch : {"0", "1", "2"})
    CHECK(
        contains(console, "training epoch " + std::string(epoch) + " memory usage : no device, "));
}

TEST_CASE("memory_profiler tells what memory is for") {
  callbacks::memory_profiler profiler;
  auto const brief = run_with(profiler).console;
  CHECK(contains(brief, "memory profile : weights "));
  profiler.detailed_first_step = true;
  CHECK(run_with(profiler).console.size() >= brief.size());
}

TEST_CASE("disp_io_stats tells how many samples the rank has read") {
  auto const console = run_with(callbacks::disp_io_stats{}).console;
  CHECK(contains(console, "rank 0.0 read 20 of 20 training samples, 20 since the run began"));
  CHECK(contains(console, "rank 0.0 read 20 of 20 training samples, 60 since the run began"));
  CHECK(contains(console, " testing samples, "));
}

TEST_CASE("timeline writes a line for each instruction of a layer or of weights") {
  test::ScratchFolder const folder;
  callbacks::timeline timeline;
  timeline.directory = "times";
  REQUIRE(run_with(timeline, folder.path()).problem == "");
  std::istringstream lines(text_of_file(folder.path() / "times/timeline.m0.0.txt"));
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) names.insert(line.substr(0, line.find(':')));
  CHECK(names.contains("fp-line"));
  CHECK(names.contains("fp-loss"));

  std::ofstream(folder.path() / "file") << "no folder";
  timeline.directory = "file";
  CHECK(contains(run_with(timeline, folder.path()).problem, "the file cannot be written"));
}

TEST_CASE("debug and debug_io change nothing") {
  auto const plain = test::run_regression(test::regression_plan(), {}).last_slope;
  callbacks::debug silent;
  silent.phase = {"predict"};
  CHECK(run_with(silent).last_slope == plain);
  callbacks::debug_io of_none;
  of_none.phase = {"predict"};
  CHECK(run_with(of_none).last_slope == plain);
}

TEST_CASE("evaluate_progress logs what evaluations within epochs give, and changes nothing") {
  callbacks::evaluate_progress progress;
  progress.batch_interval = 2;
  auto const record = run_with(progress);
  CHECK(record.problem == "");
  for (auto const* words :
       {"validation after step 2 objective function : ",
        "validation after step 8 objective function : ", "validation after step 8 error : "})
    CHECK(contains(record.console, words));
  CHECK_FALSE(contains(record.console, "after step 3"));
  auto const plain = test::run_regression(test::regression_plan(), {});
  CHECK(record.last_slope == plain.last_slope);
  CHECK(record.metrics == plain.metrics);
}
