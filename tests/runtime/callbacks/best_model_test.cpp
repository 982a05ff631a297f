// save_model with `best` and early_stopping with `restore_best`: which weights are saved and kept.
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>

#include "runtime/callbacks/make_callback.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;

namespace {

/// The regression, whose learning rate is multiplied by -1 after two epochs, so that the validation
/// after epoch 1 is the best.
Plan best_after_epoch_1(std::int64_t epochs = 6) {
  auto plan = test::regression_plan();
  plan.training.max_epochs = epochs;
  auto const rate = plan.weights[0].learning_rate;
  operators::map map;
  map.expression = parse_expression("(multiply(i0, -1))").value();
  map.compute = DataType::f64;
  map.types = {DataType::f64};
  plan.program.entry_points.push_back(
      {"schedule", {{map, {rate}, {rate}, {}}}, Timing{Moment::epoch_end, 2, 1, 2}});
  return plan;
}

test::RunRecord run_with(Plan plan, auto const&... callbacks) {
  plan.callbacks = {{to_record(callbacks), Span{0, 0, 5}}...};
  return test::run_regression(plan, {});
}

/// The last 12 bytes of a file of three f32.
std::array<float, 3> saved_slope(std::filesystem::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string const bytes{std::istreambuf_iterator<char>(stream), {}};
  REQUIRE_MESSAGE(bytes.size() > 12, file.string());
  std::array<float, 3> slope{};
  std::memcpy(slope.data(), bytes.data() + bytes.size() - 12, 12);
  return slope;
}

std::size_t count(std::string const& text, std::string_view words) {
  std::size_t found = 0;
  for (auto at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++found;
  return found;
}

/// A run whose `save` is in `best`; the slope saved there.
struct SavedRun {
  explicit SavedRun(callbacks::save_model const& save, Plan plan = best_after_epoch_1()) {
    plan.callbacks = {{to_record(save), Span{0, 0, 5}}};
    record = test::run_regression(plan, scratch.path());
    REQUIRE(record.problem == "");
  }
  std::array<float, 3> slope() const { return saved_slope(file()); }
  std::filesystem::path file() const { return scratch.path() / "best/slope.npy"; }

  test::ScratchFolder scratch;
  test::RunRecord record;
};

}  // namespace

TEST_CASE("save_model keeps the model of the lowest objective, and writes nothing at the end") {
  auto const stopped = run_with(best_after_epoch_1(2));
  SavedRun const run({.dir = "best", .best = "objective"});
  CHECK(run.slope() == stopped.last_slope);
  CHECK(run.record.last_slope != stopped.last_slope);
  CHECK(count(run.record.console, "best model: objective ") == 2);
  CHECK(contains(run.record.console,
                 " after epoch 1, saved in " + run.file().parent_path().string()));
  CHECK_FALSE(contains(run.record.console, "weights saved in"));
}

TEST_CASE("save_model keeps the model of the lowest or highest metric") {
  SavedRun const lowest({.dir = "best", .best = "error", .mode = callbacks::BestMode::min});
  CHECK(lowest.slope() == run_with(best_after_epoch_1(2)).last_slope);
  // The error rises to the end.
  SavedRun const highest({.dir = "best", .best = "error", .mode = callbacks::BestMode::max});
  CHECK(highest.slope() == highest.record.last_slope);
  CHECK(count(highest.record.console, "best model: error ") > 1);
}

TEST_CASE("NaN is never the best: nothing is saved, and a warning says so") {
  auto plan = best_after_epoch_1();
  plan.metrics[0].evaluate_sum = {};
  SavedRun const run({.dir = "best", .best = "error", .mode = callbacks::BestMode::max}, plan);
  CHECK_FALSE(std::filesystem::exists(run.file().parent_path()));
  CHECK(contains(run.record.console,
                 "warning: best model: no validation gave a value of error, nothing is saved in"));
}

TEST_CASE("a folder that the best model may not replace is refused before training") {
  test::ScratchFolder const scratch;
  std::filesystem::create_directories(scratch.path() / "best");
  std::ofstream(scratch.path() / "best/thesis.tex") << "words";
  auto plan = best_after_epoch_1();
  callbacks::save_model const save{.dir = "best", .best = "objective"};
  plan.callbacks = {{to_record(save), Span{0, 0, 5}}};
  auto const record = test::run_regression(plan, scratch.path());
  CHECK(contains(record.problem, "regression.yaml:1:1: "));
  CHECK(contains(record.problem, "thesis.tex, which is no file of this model"));
  CHECK(record.steps.empty());
}

TEST_CASE("early_stopping goes back to the weights of its best validation") {
  auto const stopped = run_with(best_after_epoch_1(2));
  callbacks::early_stopping stopping{.patience = 3};
  auto const without = run_with(best_after_epoch_1(), stopping);
  CHECK(without.last_slope != stopped.last_slope);
  stopping.restore_best = true;
  auto const record = run_with(best_after_epoch_1(), stopping);
  CHECK(record.ending.stop == runtime::Stop::callback);
  CHECK(record.ending.steps == 3 * (2 + 3));
  CHECK(record.last_slope == stopped.last_slope);
  CHECK(contains(record.console,
                 "Model 0 early stopping: weights are those of the best validation: "));
  CHECK(contains(record.console, " after epoch 1\n"));
  // The test is that of these weights.
  CHECK(record.metrics.back() == stopped.metrics.back());
}

TEST_CASE("early_stopping goes back when the epochs are over, too, before weights are saved") {
  test::ScratchFolder const scratch;
  auto const stopped = run_with(best_after_epoch_1(2));
  auto plan = best_after_epoch_1(4);
  plan.callbacks = {
      {to_record(callbacks::save_model{.dir = "last"}), Span{0, 0, 5}},
      {to_record(callbacks::early_stopping{.patience = 9, .restore_best = true}), Span{0, 0, 5}}};
  auto const record = test::run_regression(plan, scratch.path());
  REQUIRE(record.problem == "");
  CHECK(record.ending.stop == runtime::Stop::epochs);
  CHECK(saved_slope(scratch.path() / "last/slope.npy") == stopped.last_slope);
}

TEST_CASE("early_stopping without any validation leaves the weights as they are") {
  auto plan = best_after_epoch_1(2);
  auto const plain = run_with(plan);
  plan.objective.evaluate_sum = {};  // every validation is NaN
  auto const record =
      run_with(plan, callbacks::early_stopping{.patience = 9, .restore_best = true});
  CHECK(record.last_slope == plain.last_slope);
  CHECK(contains(record.console, "no validation gave a number, the weights stay"));
}
