// Bound entry points compute what the program says; what cannot be bound is told with its line.
#include "runtime/execution/executor.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "tests/runtime/regression.hpp"

using namespace lbann;
using namespace lbann::runtime;

namespace {

std::unique_ptr<Executor> executor_of(Plan const& plan) {
  auto executor = Executor::create(plan, plan.mini_batch_size, kernels::Selection::best);
  REQUIRE(executor.good());
  return std::move(executor).value();
}

}  // namespace

TEST_CASE("an entry point is bound once for each number of samples") {
  auto const plan = test::regression_plan();
  auto const executor = executor_of(plan);
  auto const full = executor->bind("train", 8), again = executor->bind("train", 8),
             last = executor->bind("train", 4);
  REQUIRE(full.good());
  REQUIRE(last.good());
  CHECK(full.value() == again.value());
  CHECK(full.value() != last.value());
  CHECK(last.value()->samples == 4);
  CHECK_FALSE(executor->bind("dance", 4).good());
}

TEST_CASE("a reshape in place costs no step") {
  auto const plan = test::regression_plan();
  auto const executor = executor_of(plan);
  auto const bound = executor->bind("evaluate", 8);
  REQUIRE(bound.good());
  for (auto const& step : bound.value()->steps) {
    auto const& instruction = bound.value()->entry->instructions[step.instruction];
    CHECK(name_of(instruction.op) != "reshape");
    CHECK_FALSE(step.implementation.empty());
  }
}

TEST_CASE("a step of three samples equals a step by hand") {
  auto const plan = test::regression_plan();
  auto const executor = executor_of(plan);
  auto const bound = executor->bind("train", 3);
  REQUIRE(bound.good());
  auto* const slope = executor->view(plan.weights[0].tensor, 0).as<float>();
  auto* const samples = executor->view(plan.data[0].fields[0].tensor, 3).as<float>();
  auto* const responses = executor->view(plan.data[0].fields[1].tensor, 3).as<float>();
  std::array<float, 9> const x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::memcpy(samples, x.data(), sizeof x);
  for (int i = 0; i < 3; ++i) {
    slope[i] = 0.5F;
    responses[i] = static_cast<float>(i);
  }
  executor->scalar<double>(plan.mini_batch) = 3;
  executor->scalar<double>(plan.weights[0].learning_rate) = 0.5;
  Executor::run(*bound.value());
  // Residuals 3, 6.5, 10; gradient of component k: 2/3 sum over samples of x_k times residual.
  CHECK(executor->scalar<double>(plan.objective.step_value) == doctest::Approx(151.25 / 3));
  CHECK(slope[0] == doctest::Approx(0.5 - (3 * 1 + 6.5 * 4 + 10 * 7) / 3));
  CHECK(slope[2] == doctest::Approx(0.5 - (3 * 3 + 6.5 * 6 + 10 * 9) / 3));
}
