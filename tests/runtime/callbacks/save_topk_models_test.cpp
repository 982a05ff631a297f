// save_topk_models: which trainers save, by their values, ties and NaN included.
#include <doctest/doctest.h>

#include <limits>

#include "runtime/callbacks/factories.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;

namespace {

/// The trainer roots, of which this one is the last to add its value.
class OtherTrainers final : public runtime::Communicator {
 public:
  explicit OtherTrainers(std::vector<double> values) : values_(std::move(values)) {}
  int calls = 0;

  std::int64_t rank() const override { return 0; }
  std::int64_t size() const override { return static_cast<std::int64_t>(values_.size()); }
  void all_reduce(void* data, std::int64_t count, DataType type) override {
    ++calls;
    REQUIRE(count == size());
    REQUIRE(type == DataType::f64);
    for (std::size_t i = 0; i < values_.size(); ++i) static_cast<double*>(data)[i] += values_[i];
  }
  void broadcast(std::span<std::byte>, std::int64_t) override {}
  std::vector<std::vector<std::byte>> gather(std::span<std::byte const>) override { return {}; }
  void barrier() override {}
  std::unique_ptr<runtime::Transfer> sum(void const*, void*, std::int64_t, DataType) override {
    return nullptr;
  }
  std::unique_ptr<runtime::Messages> messages(std::int64_t) override { return nullptr; }
  std::unique_ptr<Communicator> split(std::int64_t) override { return nullptr; }
  std::unique_ptr<Communicator> on_this_node() override { return nullptr; }
  bool on_one_node() override { return true; }
  std::unique_ptr<runtime::SharedMemory> share(std::int64_t) override { return nullptr; }

 private:
  std::vector<double> values_;
};

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Whether trainer `number`, whose own value of `values` is this one's, saves its weights.
bool saves(std::vector<double> values, std::size_t number, std::int64_t k, bool ascending = false,
           bool tested = true) {
  test::ScratchFolder const scratch;
  auto const plan = test::regression_plan();
  auto const executor = runtime::Executor::create(plan, 8, kernels::Selection::best);
  REQUIRE(executor.good());
  runtime::Log log(nullptr);
  auto const own = values[number];
  values[number] = 0;
  auto const trainers = static_cast<std::int64_t>(values.size());
  OtherTrainers between(values);
  auto const name = "trainer" + std::to_string(number);
  runtime::CallbackContext const run{plan,
                                     *executor.value(),
                                     log,
                                     {},
                                     scratch.path() / "run" / name,
                                     scratch.path() / "run",
                                     scratch.path(),
                                     static_cast<std::int64_t>(number),
                                     trainers,
                                     nullptr,
                                     {},
                                     &between};
  auto const controller = callback_of(
      callbacks::save_topk_models{
          .dir = "top", .k = k, .metric = "error", .ascending_ordering = ascending},
      run, Span{});
  REQUIRE(controller->train_begin(*executor.value()).good());
  runtime::PhaseResult phase;
  phase.metrics = {&own, 1};
  phase.mode = ExecutionMode::validation;
  REQUIRE(controller->phase_end(phase).good());
  phase.mode = ExecutionMode::testing;
  if (tested) REQUIRE(controller->phase_end(phase).good());
  CHECK(between.calls == 0);
  REQUIRE(controller->run_end().good());
  CHECK(between.calls == 1);
  return std::filesystem::exists(scratch.path() / "run/top" / name / "slope.npy");
}

std::string who_saves(std::vector<double> const& values, std::int64_t k, bool ascending = false) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += saves(values, i, k, ascending) ? '1' : '0';
  return text;
}

}  // namespace

TEST_CASE("the k trainers of the highest values save, or of the lowest") {
  CHECK(who_saves({3, 5, 4}, 1) == "010");
  CHECK(who_saves({3, 5, 4}, 2) == "011");
  CHECK(who_saves({3, 5, 4}, 7) == "111");
  CHECK(who_saves({3, 5, 4}, 1, true) == "100");
  CHECK(who_saves({-3, -5, -4}, 1) == "100");
}

TEST_CASE("of equal values the trainer of the lower number is the better") {
  CHECK(who_saves({5, 5, 5}, 1) == "100");
  CHECK(who_saves({3, 5, 5}, 2) == "011");
}

TEST_CASE("NaN is never among the best, and neither is a trainer without a test") {
  CHECK(who_saves({not_a_number, 5, not_a_number}, 3) == "010");
  CHECK(who_saves({not_a_number, 5, not_a_number}, 3, true) == "010");
  CHECK_FALSE(saves({9, 5}, 0, 2, false, false));
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CHECK(who_saves({infinite, 5, -infinite}, 1) == "100");
}

TEST_CASE("a single trainer saves after its test, in a folder of the run") {
  test::ScratchFolder const scratch;
  auto plan = test::regression_plan();
  callbacks::save_topk_models const save{.dir = "top", .k = 1, .metric = "error"};
  plan.callbacks = {{to_record(save), Span{0, 0, 5}}, {to_record(callbacks::print{}), Span{}}};
  auto const record = test::run_regression(plan, scratch.path());
  REQUIRE(record.problem == "");
  CHECK(std::filesystem::exists(scratch.path() / "top/trainer0/slope.npy"));
  CHECK(contains(record.console, "is number 1 of 1 trainers, saved in "));
  CHECK(record.console.rfind("best models: ") > record.console.rfind("test objective"));
}
