// summary: which files there are, and which problems. What is in them is compared in
// tests/training/summary_test.py.
#include "schemas/callbacks/summary.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "runtime/callbacks/make_callback.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;

namespace {

Plan plan_summarised(callbacks::summary_ const& fields) {
  auto plan = test::regression_plan();
  test::observe(plan, "train", Observable::gradient, "slope", "slope/gradient",
                Shape({{3, false}, {1, false}}));
  plan.callbacks = {{to_record(fields), Span{0, 0, 5}}};
  return plan;
}

std::string bytes_in(std::filesystem::path const& folder) {
  auto const begin = std::filesystem::directory_iterator(folder);
  REQUIRE(std::distance(begin, {}) == 1);
  std::ifstream file(std::filesystem::directory_iterator(folder)->path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a file for each phase, with its tags") {
  test::ScratchFolder const folder;
  REQUIRE(test::run_regression(plan_summarised({}), folder.path()).problem == "");
  auto const train = bytes_in(folder.path() / "events/train");
  for (auto const* tag : {"batch_objective", "epoch_objective", "learning_rate", "weights/slope",
                          "gradients/slope", "_hparams_/session_start_info"})
    CHECK_MESSAGE(contains(train, tag), std::string(tag));
  for (auto const* phase : {"validation", "test"}) {
    auto const file = bytes_in(folder.path() / "events" / phase);
    CHECK(contains(file, "epoch_error"));
    CHECK_FALSE(contains(file, "batch_"));
  }
}

TEST_CASE("without histograms no gradients are read") {
  callbacks::summary_ fields;
  fields.mat_interval = 0;
  CHECK_FALSE(fields.observes().gradients);
  test::ScratchFolder const folder;
  REQUIRE(test::run_regression(plan_summarised(fields), folder.path()).problem == "");
  CHECK_FALSE(contains(bytes_in(folder.path() / "events/train"), "slope"));
}

TEST_CASE("a folder that cannot be made is a problem of the callback's line") {
  test::ScratchFolder const folder;
  std::ofstream(folder.path() / "events") << "a file, no folder";
  auto const problem = test::run_regression(plan_summarised({}), folder.path()).problem;
  CHECK(contains(problem, "regression.yaml:1:1: "));
  CHECK(contains(problem, "events.out.tfevents"));
}
