// What callbacks print, word by word, and what they read and write.
#include "runtime/callbacks/callbacks.hpp"

#include <doctest/doctest.h>

#include <regex>

#include "runtime/callbacks/model_description.hpp"
#include "tests/runtime/regression.hpp"

using namespace lbann;

namespace {

Declared declared(auto const& fields) { return {to_record(fields), Span{0, 0, 5}}; }

/// Numbers that depend on the machine or on rounding, as `#`.
std::string masked(std::string const& text) {
  return std::regex_replace(text, std::regex(R"(\b\d+(\.\d+)?(e-?\d+)?(?=(%|s\b|\n)))"), "#");
}

}  // namespace

TEST_CASE("print and timer write what scripts parse") {
  auto plan = test::regression_plan();
  plan.training.max_epochs = 1;
  plan.callbacks = {declared(callbacks::print{}), declared(callbacks::timer{})};
  auto const console = test::run_regression(plan, {}).console;
  CHECK(masked(console) ==
        R"(--------------------------------------------------------------------------------
[0] Epoch : stats formated [tr/v/te/to] iter/epoch = [3/1/1/0]
             Global MB = [   8/   8/   5/   0]  Global last MB = [   4/   8/   5/   0]
--------------------------------------------------------------------------------
regression (instance 0) training epoch 0 objective function : #
regression (instance 0) training epoch 0 error : #%
regression (instance 0) training epoch 0 run time : #s
regression (instance 0) training epoch 0 mini-batch time statistics : #s mean, #s median, #s max, #s min, #s stdev
regression (instance 0) validation objective function : #
regression (instance 0) validation error : #%
regression (instance 0) validation run time : #s
regression (instance 0) validation mini-batch time statistics : #s mean, #s median, #s max, #s min, #s stdev
regression (instance 0) test objective function : #
regression (instance 0) test error : #%
regression (instance 0) test run time : #s
regression (instance 0) test mini-batch time statistics : #s mean, #s median, #s max, #s min, #s stdev
)");
  // LBANN's own continuous integration looks for these.
  CHECK(std::regex_search(console, std::regex("training epoch [0-9]+ error : ([0-9.]+)%")));
  CHECK(std::regex_search(console, std::regex("test error : ([0-9.]+)%")));
  CHECK(std::regex_search(
      console, std::regex("training epoch [0-9]+ mini-batch time statistics : ([0-9.]+)s mean")));
}

TEST_CASE("print every other epoch") {
  auto plan = test::regression_plan();
  plan.callbacks = {declared(callbacks::print{.interval = 2})};
  auto const console = test::run_regression(plan, {}).console;
  CHECK(console.find("training epoch 0 ") != std::string::npos);
  CHECK(console.find("training epoch 1 ") == std::string::npos);
  CHECK(console.find("training epoch 2 ") != std::string::npos);
  CHECK(console.find("] Epoch") == console.find("[0] Epoch") + 2);
}

TEST_CASE("progress is plain lines where there is no terminal") {
  auto plan = test::regression_plan();
  plan.training.max_epochs = 1;
  callbacks::progress_bar bar;
  bar.bar_width = 6;
  plan.callbacks = {declared(bar)};
  auto const console = test::run_regression(plan, {}).console;
  CHECK(console.find('\r') == std::string::npos);
  CHECK(console.find("training epoch 0 [==>   ]  33% (1/3)") != std::string::npos);
  CHECK(console.find("training epoch 0 [======] 100% (3/3)") != std::string::npos);
  bar.newline_interval = 2;
  plan.callbacks = {declared(bar)};
  auto const fewer = test::run_regression(plan, {}).console;
  CHECK(fewer.find("(1/3)") == std::string::npos);
  CHECK(fewer.find("(2/3)") != std::string::npos);
}

TEST_CASE("the model in words") {
  CHECK([] {
    std::string text;
    for (auto const& line : runtime::describe_model(test::regression_plan())) text += line + "\n";
    return text;
  }() == "Model regression\n  Layers:\n    line: fully_connected, output 1, from samples, weights "
         "slope\n"
         "  Weights:\n    slope: 3, sgd\n  1 layers, 1 weights with 3 parameters\n");
}

TEST_CASE("print_model_description prints the model before the first epoch") {
  auto plan = test::regression_plan();
  plan.callbacks = {declared(callbacks::print_model_description{}), declared(callbacks::print{})};
  auto const console = test::run_regression(plan, {}).console;
  CHECK(console.starts_with("Model regression\n  Layers:\n"));
  CHECK(console.find("with 3 parameters") < console.find("training epoch 0"));
}

TEST_CASE("weights saved by one run start another") {
  test::ScratchFolder const scratch;
  auto plan = test::regression_plan();
  plan.callbacks = {declared(callbacks::save_model{.dir = "trained"})};
  std::filesystem::create_directories(scratch.path() / "run");
  auto const first = test::run_regression(plan, scratch.path() / "run");
  REQUIRE(first.problem.empty());
  CHECK(std::filesystem::exists(scratch.path() / "trained" / "slope.npy"));

  plan.callbacks = {declared(callbacks::load_model{.dirs = {"trained"}})};
  plan.training.max_epochs = 0;
  // Found beside the work directory.
  auto const second = test::run_regression(plan, scratch.path() / "other");
  REQUIRE(second.problem.empty());
  CHECK(second.last_slope == first.last_slope);

  plan.callbacks = {declared(callbacks::load_model{.dirs = {"nowhere"}})};
  CHECK(test::run_regression(plan, scratch.path() / "other").problem ==
        "regression.yaml:1:1: nowhere: no such folder");
}

TEST_CASE("a callback of another version is refused with its line") {
  auto plan = test::regression_plan();
  auto executor = runtime::Executor::create(plan, 8, kernels::Selection::best);
  REQUIRE(executor.good());
  runtime::Log log(nullptr);
  runtime::RunView const view{plan, *executor.value(), log, {}, {}};
  auto const made = runtime::make_observer({Record{"sing", {}}, Span{0, 9, 12}}, view);
  REQUIRE_FALSE(made.good());
  CHECK(made.problem().message.starts_with("regression.yaml:2:3: callback `sing`"));
}

namespace {

/// The slope after a single step with these callbacks.
template <class... Fields>
std::array<float, 3> slope_after(std::int64_t steps, Fields const&... fields) {
  auto plan = test::regression_plan();
  plan.training.max_batches = steps;
  plan.callbacks = {declared(fields)...};
  auto const record = test::run_regression(plan, {});
  CHECK(record.problem.empty());
  return record.last_slope;
}

}  // namespace

TEST_CASE("set_weights_value acts before its step") {
  auto const plain = slope_after(2);
  CHECK(slope_after(2, callbacks::set_weights_value{.weights = {"slope"}, .value = 3, .step = 2}) ==
        plain);
  auto const second =
      slope_after(2, callbacks::set_weights_value{.weights = {"slope"}, .value = 3, .step = 1});
  CHECK(second != plain);
  CHECK(second[0] == doctest::Approx(3).epsilon(0.3));
}

TEST_CASE("replace_weights: a layer may be its own source") {
  CHECK(slope_after(4, callbacks::replace_weights{.source_layers = {"line"},
                                                  .destination_layers = {"line"}}) ==
        slope_after(4));
}

TEST_CASE("perturb_weights stays within its bounds and is likely as it is told") {
  callbacks::perturb_weights fields{
      .lower = 0.5, .upper = 0.5, .scale = 2, .perturb_probability = 1, .output_name = "slope"};
  // With one value between the bounds it sets that value.
  CHECK(slope_after(1, fields) ==
        slope_after(1, callbacks::set_weights_value{.weights = {"slope"}, .value = 0.5}));
  fields.perturb_probability = 0;
  CHECK(slope_after(1, fields) == slope_after(1));
  fields = {.lower = -9, .upper = 9, .scale = 1, .perturb_probability = 1, .output_name = "slope"};
  CHECK(slope_after(1, fields) != slope_after(1));
  CHECK(slope_after(1, fields) == slope_after(1, fields));
}

TEST_CASE("perturb_learning_rate, before training and during it") {
  callbacks::perturb_learning_rate fields;
  CHECK(slope_after(2, fields) == slope_after(2));
  fields.learning_rate_factor = 0.5;
  auto const once = slope_after(2, fields);
  CHECK(once != slope_after(2));
  CHECK(once == slope_after(2, fields));
  fields.perturb_during_training = true;
  CHECK(slope_after(1, fields) != slope_after(1));
  CHECK(slope_after(2, fields) != once);
  fields.batch_interval = 5;
  CHECK(slope_after(2, fields) == once);
}

TEST_CASE("a schedule tells the log what it has changed") {
  auto plan = test::regression_plan();
  plan.callbacks = {declared(callbacks::step_learning_rate{.step = 2, .amt = 0.5})};
  auto const console = test::run_regression(plan, {}).console;
  CHECK(console.find("Model 0: changing global learning rate to 0.025 at epoch 2\n") !=
        std::string::npos);
  CHECK(console.find("changing") == console.rfind("changing"));
}

TEST_CASE("early_stopping ends a run after as many validations as it may wait") {
  auto plan = test::regression_plan();
  plan.training.max_epochs = 50;
  // From here on every validation is the same.
  plan.callbacks = {declared(callbacks::set_learning_rate{.step = 2, .val = 0}),
                    declared(callbacks::early_stopping{.patience = 3})};
  auto const record = test::run_regression(plan, {});
  REQUIRE(record.problem.empty());
  CHECK(record.ending.stop == runtime::Stop::callback);
  CHECK(record.ending.steps == 3 * (2 + 3));
  CHECK(record.console.find("Model 0 early stopping: score is improving inf >> ") !=
        std::string::npos);
  CHECK(record.console.find("Model 0 terminating training due to early stopping: ") !=
        std::string::npos);
}
