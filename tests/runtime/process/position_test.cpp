// Where a process is while callbacks run.
#include <doctest/doctest.h>

#include <string>

#include "runtime/callbacks/callbacks.hpp"
#include "runtime/process/position.hpp"
#include "tests/runtime/regression.hpp"

using namespace lbann;
using namespace lbann::runtime;

namespace {

std::string where() {
  auto const* const words = position().load();
  return words == nullptr ? "nowhere" : words;
}

/// Notes where it is called.
class Placed final : public Callback {
 public:
  explicit Placed(std::vector<std::string>& places) : places_(places) {}
  bool observes_steps() const override { return true; }
  Result<Success> epoch_begin(std::int64_t) override { return note(); }
  void step_begin(std::int64_t) override { places_.push_back(where()); }
  Result<Success> step_end(StepResult const&) override { return note(); }
  Result<Success> train_end() override { throw std::runtime_error("broken"); }

 private:
  Result<Success> note() {
    places_.push_back(where());
    return Success{};
  }
  std::vector<std::string>& places_;
};

}  // namespace

TEST_CASE("a process is in a callback while that is called, and nowhere behind it") {
  std::vector<std::string> first, second;
  Callbacks callbacks;
  callbacks.add(std::make_unique<Placed>(first), "callback `first`");
  callbacks.add(std::make_unique<Placed>(second), "callback `second`");
  CHECK(callbacks.epoch_begin(0).good());
  CHECK(where() == "nowhere");
  callbacks.step_begin(0);
  CHECK(where() == "nowhere");
  CHECK(callbacks.step_end({}).good());
  CHECK(where() == "nowhere");
  CHECK(first == std::vector<std::string>(3, "callback `first`"));
  CHECK(second == std::vector<std::string>(3, "callback `second`"));
  CHECK_THROWS_AS((void)callbacks.train_end(), std::runtime_error);
  CHECK(where() == "callback `first`");
  position().store(nullptr);
}

TEST_CASE("behind an entry point a process is in no instruction") {
  auto const plan = test::regression_plan();
  auto executor = Executor::create(plan, 4, kernels::Selection::best);
  REQUIRE(executor.good());
  auto const entry = executor.value()->bind("initialize", 4);
  REQUIRE(entry.good());
  position().store("before");
  Executor::run(*entry.value());
  CHECK(where() == "nowhere");
}
