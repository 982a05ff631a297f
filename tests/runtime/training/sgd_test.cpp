// Whole runs of a small plan against plain loops: order, sums, limits, ends.
#include "runtime/training/sgd.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "kernels/device/device.hpp"
#include "runtime/observation/finite_check.hpp"
#include "tests/runtime/regression.hpp"

using namespace lbann;
using namespace lbann::runtime;

namespace {

std::vector<std::string> order_of(test::RunRecord const& record) {
  std::vector<std::string> order;
  for (auto const& phase : record.phases) order.emplace_back(name_of(phase.mode));
  return order;
}

}  // namespace

TEST_CASE("three epochs: objectives of all steps, the last mini-batch with its true size") {
  auto const plan = test::regression_plan();
  auto const record = test::run_regression(plan, {});
  REQUIRE(record.problem.empty());
  auto const expected = test::expected_objectives(plan, record.first_slope);
  REQUIRE(record.steps.size() == 9);
  REQUIRE(expected.size() == 9);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(record.steps[i].objective == doctest::Approx(expected[i]).epsilon(1e-5));
    CHECK(record.steps[i].samples == (i % 3 == 2 ? 4 : 8));
    CHECK(record.steps[i].step == static_cast<std::int64_t>(i));
    CHECK(record.steps[i].epoch == static_cast<std::int64_t>(i / 3));
    CHECK(record.steps[i].step_of_epoch == static_cast<std::int64_t>(i % 3));
  }
  CHECK(record.steps.back().objective < record.steps.front().objective);
  // The mean over an epoch weighs samples, not steps.
  for (std::size_t epoch = 0; epoch < 3; ++epoch) {
    auto const* const step = &expected[3 * epoch];
    CHECK(record.phases[2 * epoch].objective ==
          doctest::Approx((8 * step[0] + 8 * step[1] + 4 * step[2]) / 20).epsilon(1e-5));
  }
}

TEST_CASE("mini-batches that change from epoch to epoch") {
  auto plan = test::regression_plan();
  plan.training.max_epochs = 6;
  plan.training.mini_batches = {{0, 3}, {1, 8}, {3, 20}, {5, 6}};
  plan.mini_batch_size = 25;  // more than the data
  auto const record = test::run_regression(plan, {});
  REQUIRE(record.problem.empty());
  auto const expected =
      test::expected_objectives(plan, record.first_slope, {0.05, 0.05, 0.05, 0.05, 0.05, 0.05});
  REQUIRE(expected.size() == 7 + 3 + 3 + 1 + 1 + 4);
  REQUIRE(record.steps.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(record.steps[i].objective == doctest::Approx(expected[i]).epsilon(1e-5));
  CHECK(record.steps[6].samples == 2);
  CHECK(record.steps.back().samples == 2);
  CHECK(record.steps.back().epoch == 5);
  CHECK(record.timed_steps == std::vector<std::size_t>{7, 1, 3, 1, 3, 1, 1, 1, 1, 1, 4, 1, 1});
  CHECK(record.console ==
        "Model 0: changing mini-batch size to 8 at epoch 1\n"
        "Model 0: changing mini-batch size to 20 at epoch 3\n"
        "Model 0: changing mini-batch size to 6 at epoch 5\n");
}

TEST_CASE("validation after each epoch, one test at the end, each over its own samples") {
  auto const record = test::run_regression(test::regression_plan(), {});
  CHECK(order_of(record) == std::vector<std::string>{"training", "validation", "training",
                                                     "validation", "training", "validation",
                                                     "testing"});
  CHECK(record.phases[1].samples == 8);
  CHECK(record.phases[6].samples == 5);
  CHECK(record.phases[4].epoch == 2);
  CHECK(record.phases[6].epoch == 3);
  CHECK(record.timed_steps == std::vector<std::size_t>{3, 1, 3, 1, 3, 1, 1});
  // The test by hand, with the slope at the end.
  double objective = 0, error = 0;
  for (std::int64_t i = 0; i < 5; ++i) {
    auto const sample = test::regression_sample(ExecutionMode::testing, i);
    double residual = -double{sample[3]};
    for (std::size_t k = 0; k < 3; ++k)
      residual += double{sample[k]} * double{record.last_slope[k]};
    objective += residual * residual / 5;
    error += 100 * std::abs(residual) / 5;
  }
  CHECK(record.phases[6].objective == doctest::Approx(objective).epsilon(1e-4));
  CHECK(record.metrics[6] == doctest::Approx(error).epsilon(1e-4));
}

TEST_CASE("two runs are bit-equal, another seed is not") {
  auto plan = test::regression_plan();
  auto const first = test::run_regression(plan, {}), second = test::run_regression(plan, {});
  CHECK(first.last_slope == second.last_slope);
  CHECK(first.first_slope == second.first_slope);
  plan.random_seed = 43;
  CHECK(test::run_regression(plan, {}).first_slope != first.first_slope);
}

TEST_CASE("max_batches stops within an epoch, which is reported as cut short") {
  auto plan = test::regression_plan();
  plan.training.max_batches = 4;
  auto const record = test::run_regression(plan, {});
  CHECK(record.steps.size() == 4);
  CHECK(record.ending.stop == Stop::batches);
  REQUIRE(order_of(record).size() == 5);
  CHECK(record.phases[0].complete);
  CHECK_FALSE(record.phases[2].complete);
  CHECK(record.phases[2].samples == 8);
  CHECK(order_of(record).back() == "testing");
}

TEST_CASE("a limit of seconds ends after the step that passes it") {
  auto plan = test::regression_plan();
  plan.training.max_epochs = 0;
  plan.training.max_seconds = 1e-9;
  auto const record = test::run_regression(plan, {});
  CHECK(record.steps.size() <= 1);
  CHECK(record.ending.stop == Stop::seconds);
}

TEST_CASE("no limit at all: no training, but the test") {
  auto plan = test::regression_plan();
  plan.training.max_epochs = 0;
  auto const record = test::run_regression(plan, {});
  CHECK(record.steps.empty());
  CHECK(order_of(record) == std::vector<std::string>{"testing"});
  CHECK(record.first_slope == record.last_slope);
}

TEST_CASE("a limit of steps bounds every pass") {
  auto plan = test::regression_plan();
  plan.mini_batch_size = 2;
  auto const record = test::run_regression(plan, {}, {.step_limit = 2});
  CHECK(record.steps.size() == 2);
  CHECK(record.timed_steps == std::vector<std::size_t>{2, 2, 2});
  CHECK(record.ending.stop == Stop::steps);
}

TEST_CASE("an objective that is not finite ends the run and names lines") {
  auto plan = test::regression_plan();
  for (auto& entry : plan.program.entry_points)
    for (auto& instruction : entry.instructions)
      if (auto* const random = std::get_if<operators::random>(&instruction.op))
        random->second = 1e300;  // infinite in f32
  auto const record = test::run_regression(plan, {});
  CHECK(record.steps.empty());
  CHECK(record.problem.starts_with("regression.yaml:2:3: objective function is "));
  CHECK(record.problem.find("step 0 of training epoch 0") != std::string::npos);
  CAPTURE(record.problem);
  // The first step tells what was computed from them; a device looks on request.
  if (device::has_own_memory()) {
    CHECK(record.problem.find("--check-finite names the first layer") != std::string::npos);
    return;
  }
  CHECK(record.problem.find("`line` has an output that is ") != std::string::npos);
  CHECK(record.problem.find("`slope` (3.40282e+38 to 3.40282e+38)") != std::string::npos);
}

TEST_CASE("with --check-finite the first output that is not finite names the line of its layer") {
  auto plan = test::regression_plan();
  for (auto& entry : plan.program.entry_points)
    for (auto& instruction : entry.instructions) {
      if (auto* const random = std::get_if<operators::random>(&instruction.op))
        random->second = 1e300;  // infinite in f32
      instruction.origin.span = plan.weights[0].span;
    }
  FiniteCheck finite(plan);
  SgdOptions options;
  options.finite = &finite;
  auto const record = test::run_regression(plan, {}, options);
  CHECK(record.steps.empty());
  CAPTURE(record.problem);
  CHECK(record.problem.starts_with("regression.yaml:3:12: `line` has an output that is "));
  CHECK(record.problem.find("infinite at entry") != std::string::npos);
  CHECK(record.problem.find("of train, reduce of `line`") != std::string::npos);

  // A run that stays finite is the same with the check as without.
  auto const sound = test::regression_plan();
  FiniteCheck unmoved(sound);
  options.finite = &unmoved;
  auto const checked = test::run_regression(sound, {}, options);
  CHECK(checked.problem.empty());
  CHECK(checked.last_slope == test::run_regression(sound, {}).last_slope);
}

TEST_CASE("a signal ends the run after the step, without validation and test") {
  auto plan = test::regression_plan();
  plan.training.max_epochs = 1'000'000'000;
  auto executor = Executor::create(plan, 8, kernels::Selection::best);
  REQUIRE(executor.good());
  Log log(nullptr);
  CallbackContext const view{plan, *executor.value(), log, {plan, {20, 8, 5}}, {}};
  struct Killer final : Callback {
    bool observes_steps() const override { return true; }
    Result<Success> step_end(StepResult const& step) override {
      if (step.step == 4) std::raise(SIGTERM);
      return Success{};
    }
    Result<Success> phase_end(PhaseResult const& phase) override {
      last = phase.mode;
      return Success{};
    }
    ExecutionMode last = ExecutionMode::training;
  };
  Callbacks callbacks;
  auto killer = std::make_unique<Killer>();
  auto const& seen = *killer;
  callbacks.add(std::move(killer), "killer");
  auto phases = test::regression_phases(plan);
  Sgd sgd(view, *executor.value(), callbacks, phases, {});
  REQUIRE(sgd.prepare().good());
  sgd.initialize();
  auto const ending = sgd.train();
  REQUIRE(ending.good());
  CHECK(ending.value().stop == Stop::signal);
  CHECK(ending.value().signal == SIGTERM);
  CHECK(ending.value().steps == 5);
  CHECK(seen.last == ExecutionMode::training);
}
