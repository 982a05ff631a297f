// metrics.jsonl: one valid JSON object per line.
#include "runtime/callbacks/metrics_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/runtime/regression.hpp"

using namespace lbann;
using namespace lbann::runtime;

TEST_CASE("steps and passes become lines, numbers keep all digits, nan is null") {
  test::ScratchFolder const scratch;
  auto plan = test::regression_plan();
  plan.metrics[0].name = "top-5 \"error\"";
  auto executor = Executor::create(plan, 8, kernels::Selection::best);
  REQUIRE(executor.good());
  Log log(nullptr);
  CallbackContext const view{plan, *executor.value(), log, {}, scratch.path()};
  {
    auto made = metrics_file(view);
    REQUIRE(made.good());
    auto const metric = std::numeric_limits<double>::quiet_NaN();
    StepResult step;
    step.epoch = 2;
    step.step = 77;
    step.samples = 8;
    step.seconds = 0.25;
    step.waited = 0.125;
    step.objective = 0.1;
    step.metrics = {&metric, 1};
    auto* const rate = executor.value()->scalar_or_null<double>(plan.weights[0].learning_rate);
    REQUIRE(rate != nullptr);
    *rate = 0.1;
    made.value()->step_begin(77);
    *rate = 0.05;
    REQUIRE(made.value()->step_end(step).good());
    double const value = 1.0 / 3;
    PhaseResult phase;
    phase.mode = ExecutionMode::validation;
    phase.epoch = 3;
    phase.samples = 20;
    phase.waited = 1e-9;
    phase.objective = 1e-300;
    phase.metrics = {&value, 1};
    phase.complete = false;
    REQUIRE(made.value()->phase_end(phase).good());
  }
  std::ifstream file(scratch.path() / "metrics.jsonl");
  std::string line;
  REQUIRE(std::getline(file, line));
  auto const step = nlohmann::json::parse(line);
  CHECK(step["event"] == "step");
  CHECK(step["step"] == 77);
  CHECK(step["waited"] == 0.125);
  CHECK(step["learning_rates"] == nlohmann::json{{"all", 0.1}});
  CHECK(step["objective"] == 0.1);
  CHECK(step["metrics"]["top-5 \"error\""].is_null());
  REQUIRE(std::getline(file, line));
  auto const phase = nlohmann::json::parse(line);
  CHECK(phase["event"] == "epoch");
  CHECK(phase["mode"] == "validation");
  CHECK(phase["waited"] == 1e-9);
  CHECK(phase["complete"] == false);
  CHECK(phase["objective"] == 1e-300);
  CHECK(phase["metrics"]["top-5 \"error\""] == 1.0 / 3);
  CHECK_FALSE(std::getline(file, line));
}

TEST_CASE("a folder that is not there is a problem that names the file") {
  auto const plan = test::regression_plan();
  auto executor = Executor::create(plan, 8, kernels::Selection::best);
  REQUIRE(executor.good());
  Log log(nullptr);
  CallbackContext const view{plan, *executor.value(), log, {}, "/nowhere/at/all"};
  auto const made = metrics_file(view);
  REQUIRE_FALSE(made.good());
  CHECK(made.problem().message.starts_with("/nowhere/at/all/metrics.jsonl"));
}
