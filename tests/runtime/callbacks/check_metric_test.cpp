// check_metric: bounds, phases, and what becomes of a metric outside of them.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "runtime/callbacks/make_callback.hpp"
#include "tests/runtime/regression.hpp"

using namespace lbann;

namespace {

/// A run of the regression with a check of its metric `error`.
test::RunRecord run_with(callbacks::check_metric check) {
  auto plan = test::regression_plan();
  plan.training.max_epochs = 1;
  check.metric = "error";
  plan.callbacks = {{to_record(check), Span{0, 0, 5}}};
  return test::run_regression(plan, {});
}

callbacks::check_metric within(double lower, double upper, std::vector<std::string> modes = {}) {
  callbacks::check_metric check;
  check.lower_bound = lower;
  check.upper_bound = upper;
  check.error_on_failure = true;
  check.execution_modes = std::move(modes);
  return check;
}

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("check_metric lets a metric pass that lies within its bounds, which are included") {
  CHECK(run_with(within(0, infinite)).problem.empty());
  auto const record = run_with(within(0, infinite));
  REQUIRE(record.metrics.size() == 3);
  auto const test = record.metrics[2];
  CHECK(run_with(within(test, test, {"test"})).problem.empty());
  CHECK_FALSE(run_with(within(std::nextafter(test, infinite), infinite, {"test"})).problem.empty());
  CHECK_FALSE(run_with(within(-infinite, std::nextafter(test, 0), {"testing"})).problem.empty());
}

TEST_CASE("check_metric acts in the phases it is told") {
  for (auto const& [mode, words] :
       {std::pair{"train", "training epoch 0"}, std::pair{"validation", "validation"},
        std::pair{"test", "test"}}) {
    auto const record = run_with(within(-2, -1, {mode}));
    CHECK(record.problem.find(std::string("regression.yaml:1:1: regression (instance 0) ") + words +
                              ": metric `error` is ") != std::string::npos);
    CHECK(record.problem.find("which is not from -2 to -1") != std::string::npos);
  }
  CHECK(run_with(within(-2, -1, {"tournament"})).problem.empty());
}

TEST_CASE("a failed check_metric is a warning where it is not to be an error") {
  auto check = within(-2, -1);
  check.error_on_failure = false;
  auto const record = run_with(check);
  CHECK(record.problem.empty());
  auto count = 0;
  for (auto at = record.console.find("warning: "); at != std::string::npos;
       at = record.console.find("warning: ", at + 1))
    ++count;
  CHECK(count == 3);
}

TEST_CASE("check_metric refuses a metric that is not a number") {
  auto plan = test::regression_plan();
  plan.training.max_epochs = 1;
  auto check = within(-infinite, infinite);
  check.metric = "error";
  plan.callbacks = {{to_record(check), Span{0, 0, 5}}};
  plan.metrics[0].train_sum = {};  // nothing is known of it
  CHECK(test::run_regression(plan, {}).problem.find("is nan") != std::string::npos);
}
