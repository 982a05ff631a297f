// Callbacks that read values of steps, and check_gradients: what they write, when, and what they
// refuse.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

#include "runtime/callbacks/make_callback.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;

namespace {

namespace fs = std::filesystem;

Plan plan_with(auto const& callback) {
  auto plan = test::regression_plan();
  plan.callbacks = {{to_record(callback), Span{0, 0, 5}}};
  return plan;
}

std::vector<std::vector<double>> table(fs::path const& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), path.string());
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(file, line);) {
    for (auto& c : line)
      if (c == ',') c = ' ';
    std::istringstream words(line);
    rows.emplace_back();
    for (double x; words >> x;) rows.back().push_back(x);
  }
  return rows;
}

std::size_t files_in(fs::path const& folder) {
  std::size_t count = 0;
  for (auto const& entry : fs::recursive_directory_iterator(folder))
    count += entry.is_regular_file() ? 1 : 0;
  return count;
}

/// The plan with entry points that check gradients, which are multiplied by `factor`.
Plan checked(callbacks::check_gradients const& check, double factor) {
  auto plan = plan_with(check);
  auto& program = plan.program;
  auto const all = program.entry_point("train")->instructions;
  for (std::string const mode : {"train", "evaluate"}) {
    EntryPoint objective{"objective." + mode, {all[0], all[1], all[2], all[3], all[4], all[7]}};
    EntryPoint gradients = objective;
    gradients.name = "gradients." + mode;
    gradients.instructions.insert(gradients.instructions.end(), {all[10], all[11]});
    auto& reduce = std::get<operators::reduce>(gradients.instructions[6].op);
    reduce.expression = *parse_expression("(divide(multiply(i0, multiply(i1, " +
                                          std::to_string(2 * factor) + ")), i2))");
    program.entry_points.push_back(std::move(objective));
    program.entry_points.push_back(std::move(gradients));
  }
  auto const fault = verify(plan);
  REQUIRE_MESSAGE(!fault, fault.value_or(""));
  return plan;
}

}  // namespace

TEST_CASE("check_gradients accepts right gradients in every phase, and changes nothing") {
  callbacks::check_gradients check;
  check.error_on_failure = true;
  auto const record = test::run_regression(checked(check, 1), {});
  CHECK(record.problem == "");
  for (auto const* phase : {"training", "validation", "testing"})
    CHECK(contains(record.console, std::string(phase) + " gradient check: 0 of 3 gradients wrong"));
  CHECK(record.last_slope == test::run_regression(test::regression_plan(), {}).last_slope);
}

TEST_CASE("check_gradients refuses wrong gradients, or tells of them") {
  callbacks::check_gradients check;
  auto const told = test::run_regression(checked(check, 1.5), {});
  CHECK(told.problem == "");
  CHECK(contains(told.console, "training gradient check: 3 of 3 gradients wrong"));
  CHECK(contains(told.console, "wrong: weights `slope` entry 2 of value "));
  check.error_on_failure = true;
  auto const refused = test::run_regression(checked(check, 1.5), {});
  CHECK(contains(refused.problem, "regression.yaml:1:1: validation gradient check: 3 of 3"));
  CHECK(contains(refused.problem, "first weights `slope` entry 0"));
  check.execution_modes = {"train"};
  CHECK(contains(test::run_regression(checked(check, 1.5), {}).problem, "training gradient check"));
}

TEST_CASE("dump_outputs writes a row for each sample, in the steps and phases it is told") {
  test::ScratchFolder const folder;
  callbacks::dump_outputs dump;
  dump.directory = "outputs";
  dump.batch_interval = 2;
  auto plan = plan_with(dump);
  for (std::string const entry : {"train", "evaluate"})
    test::observe(plan, entry, Observable::output, "line", "line");
  auto const record = test::run_regression(plan, folder.path());
  REQUIRE(record.problem == "");
  auto const outputs = folder.path() / "outputs/trainer0/model0";
  CHECK(files_in(outputs) == 5 + 3 + 1);
  CHECK(table(outputs / "sgd.training.epoch.2.step.8_line_output0.csv").size() == 4);
  CHECK(table(outputs / "sgd.validation.epoch.2.step.0_line_output0.csv").size() == 8);
  auto const test = table(outputs / "sgd.testing.epoch.0.step.0_line_output0.csv");
  REQUIRE(test.size() == 5);
  for (std::int64_t i = 0; i < 5; ++i) {
    auto const sample = test::regression_sample(ExecutionMode::testing, i);
    double expected = 0;
    for (std::size_t k = 0; k < 3; ++k)
      expected += double{sample[k]} * double{record.last_slope[k]};
    CHECK(test[static_cast<std::size_t>(i)].at(0) == doctest::Approx(expected).epsilon(1e-5));
  }
  CHECK(record.last_slope == test::run_regression(test::regression_plan(), {}).last_slope);
}

TEST_CASE("dump_gradients writes what the step of that number used") {
  test::ScratchFolder const folder;
  callbacks::dump_gradients dump;
  dump.basename = "gradients/g_";
  auto plan = plan_with(dump);
  plan.training.max_batches = 1;
  test::observe(plan, "train", Observable::gradient, "slope", "slope/gradient",
                Shape({{3, false}, {1, false}}));
  auto const record = test::run_regression(plan, folder.path());
  auto const gradient = table(folder.path() / "gradients/g_model0-epoch0-step0-slope-Gradient.txt");
  REQUIRE(gradient.size() == 3);
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(record.last_slope[k] ==
          doctest::Approx(record.first_slope[k] - 0.05 * gradient[k].at(0)).epsilon(1e-6));
}

TEST_CASE("dump_error_signals writes a row for each sample") {
  test::ScratchFolder const folder;
  callbacks::dump_error_signals dump;
  dump.basename = "signals/";
  auto plan = plan_with(dump);
  test::observe(plan, "train", Observable::error_signal, "line", "residual");
  REQUIRE(test::run_regression(plan, folder.path()).problem == "");
  CHECK(files_in(folder.path() / "signals") == 9);
  CHECK(table(folder.path() / "signals/model0-epoch2-step8-line-ErrorSignal0.txt").size() == 4);
}

TEST_CASE("dump_weights writes them before training and at the end of epochs") {
  for (auto const interval : {2, 3}) {
    CAPTURE(interval);
    test::ScratchFolder const folder;
    callbacks::dump_weights dump;
    dump.directory = "weights";
    dump.epoch_interval = interval;
    auto const record = test::run_regression(plan_with(dump), folder.path());
    auto const top = folder.path() / "weights/trainer0";
    CHECK(files_in(top) == 2);
    auto const first = table(top / "sgd.shared.training_begin.epoch.0.step.0/model0/slope.txt");
    auto const name = "sgd.shared.epoch_end.epoch." + std::to_string(interval) + ".step." +
                      std::to_string(3 * interval);
    auto const later = table(top / name / "model0/slope.txt");
    REQUIRE(first.size() == 3);
    REQUIRE(later.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(static_cast<float>(first[k].at(0)) == record.first_slope[k]);
      CHECK((static_cast<float>(later[k].at(0)) == record.last_slope[k]) == (interval == 3));
    }
  }
}

TEST_CASE("dump_weights writes what is not trained") {
  test::ScratchFolder const folder;
  callbacks::dump_weights dump;
  dump.directory = "weights";
  auto plan = plan_with(dump);
  plan.training.max_epochs = 0;
  test::run_regression(plan, folder.path());
  CHECK(files_in(folder.path() / "weights") == 1);
}

TEST_CASE("a file that cannot be written is a problem of the callback's line") {
  test::ScratchFolder const folder;
  std::ofstream(folder.path() / "outputs") << "a file, no folder";
  callbacks::dump_outputs dump;
  dump.directory = "outputs";
  auto plan = plan_with(dump);
  test::observe(plan, "train", Observable::output, "line", "line");
  CHECK(contains(test::run_regression(plan, folder.path()).problem, "regression.yaml:1:1: "));
}

TEST_CASE("check_small lets usual numbers pass and refuses those whose squares vanish") {
  auto plan = plan_with(callbacks::check_small{});
  test::observe(plan, "train", Observable::output, "line", "line");
  CHECK(test::run_regression(plan, {}).problem == "");
  auto& made = plan.program.entry_point("train.observed")->instructions.back();
  operators::map tiny;
  tiny.expression = *parse_expression("(multiply(i0, 1e-25))");
  tiny.shape = plan.program[made.outputs[0]].type.shape;
  tiny.types = {DataType::f32};
  made.op = tiny;
  auto const problem = test::run_regression(plan, {}).problem;
  CHECK(contains(problem, "output of `line` is "));
  CHECK(contains(problem, "in step 0: its square vanishes"));
}

TEST_CASE("check_nan has every number looked at") {
  auto plan = plan_with(callbacks::check_nan{});
  CHECK(test::run_regression(plan, {}).problem == "");
  for (auto& entry : plan.program.entry_points)
    for (auto& instruction : entry.instructions)
      if (auto* const random = std::get_if<operators::random>(&instruction.op))
        random->second = std::numeric_limits<float>::max();
  auto const problem = test::run_regression(plan, {}).problem;
  CHECK(contains(problem, "has an output that is "));
  CHECK(contains(problem, "the first such number of this step"));
}

TEST_CASE("confusion_matrix tells parts of all samples, in LBANN's files") {
  test::ScratchFolder const folder;
  callbacks::confusion_matrix matrix;
  matrix.prediction = matrix.label = "line";
  matrix.prefix = "matrix_";
  auto plan = plan_with(matrix);
  plan.training.max_epochs = 1;
  // The plan is sound once both entry points are observed.
  auto const declared = std::exchange(plan.callbacks, {});
  for (std::string const entry : {"train", "evaluate"})
    test::observe(plan, entry, Observable::output, "line", "line");
  plan.callbacks = declared;
  REQUIRE(test::run_regression(plan, folder.path()).problem == "");
  for (std::string const name : {"train-epoch1", "validation-epoch1", "test"})
    CHECK(table(folder.path() / ("matrix_" + name + ".csv")) ==
          std::vector<std::vector<double>>{{1}});
}
