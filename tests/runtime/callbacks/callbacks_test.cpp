// What callbacks print, word by word, and what they read and write.
#include "runtime/callbacks/make_callback.hpp"

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
  CHECK(std::filesystem::exists(scratch.path() / "run/trained/slope.npy"));

  plan.callbacks = {declared(callbacks::load_model{.dirs = {"run/trained"}})};
  plan.training.max_epochs = 0;
  // Found where the runs lie.
  auto const second = test::run_regression(plan, scratch.path() / "other");
  REQUIRE(second.problem.empty());
  CHECK(second.last_slope == first.last_slope);

  plan.callbacks = {declared(callbacks::load_model{.dirs = {"nowhere"}})};
  CHECK(test::run_regression(plan, scratch.path() / "other").problem ==
        "regression.yaml:1:1: nowhere: no such folder or file");
}

TEST_CASE("a callback of another version is refused with its line") {
  auto plan = test::regression_plan();
  auto executor = runtime::Executor::create(plan, 8, kernels::Selection::best);
  REQUIRE(executor.good());
  runtime::Log log(nullptr);
  runtime::CallbackContext const view{plan, *executor.value(), log, {}, {}};
  runtime::Callbacks callbacks;
  auto const made = runtime::add_declared({Record{"sing", {}}, Span{0, 9, 12}}, view, callbacks);
  REQUIRE_FALSE(made.good());
  CHECK(made.problem().message.starts_with("regression.yaml:2:3: callback `sing`"));
}

namespace {

/// A learning rate multiplied or set at the end of an epoch.
void schedule(Plan& plan, Timing const& timing, std::string_view expression) {
  auto const rate = plan.weights[0].learning_rate;
  operators::map map;
  map.expression = parse_expression(expression).value();
  map.compute = DataType::f64;
  map.types = {DataType::f64};
  std::vector<TensorId> inputs(map.expression.operand_count(), rate);
  plan.program.entry_points.push_back({"schedule", {{map, inputs, {rate}, {}}}, timing});
}

}  // namespace

TEST_CASE("what a schedule changes is logged") {
  auto plan = test::regression_plan();
  schedule(plan, {Moment::epoch_end, 2, 2}, "(multiply(i0, 0.5))");
  auto const console = test::run_regression(plan, {}).console;
  CHECK(console.find("Model 0: changing global learning rate to 0.025 at epoch 2\n") !=
        std::string::npos);
  CHECK(console.find("changing") == console.rfind("changing"));
}

TEST_CASE("early_stopping ends a run after as many validations as it may wait") {
  auto plan = test::regression_plan();
  plan.training.max_epochs = 50;
  // From here on every validation is the same.
  schedule(plan, {Moment::epoch_end, 2, 1, 2}, "(0)");
  plan.callbacks = {declared(callbacks::early_stopping{.patience = 3})};
  auto const record = test::run_regression(plan, {});
  REQUIRE(record.problem.empty());
  CHECK(record.ending.stop == runtime::Stop::callback);
  CHECK(record.ending.steps == 3 * (2 + 3));
  CHECK(record.console.find("Model 0 early stopping: score is improving inf >> ") !=
        std::string::npos);
  CHECK(record.console.find("Model 0 terminating training due to early stopping: ") !=
        std::string::npos);
}
