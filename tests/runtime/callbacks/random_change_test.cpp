// Random numbers of callbacks: their moments, and what they depend on.
#include "runtime/callbacks/random_change.hpp"

#include <doctest/doctest.h>

#include "tests/runtime/regression.hpp"

using namespace lbann;

TEST_CASE("random changes are normal and uniform, and belong to their name and step") {
  auto const plan = test::regression_plan();
  auto executor = runtime::Executor::create(plan, 8, kernels::Selection::best);
  REQUIRE(executor.good());
  runtime::Log log(nullptr);
  runtime::RunView view{plan, *executor.value(), log, {}, {}};
  runtime::RandomChange const random(view, "perturb", "w"), other(view, "perturb", "v");
  constexpr int count = 10000;
  double sum = 0, squares = 0, uniform = 0;
  for (int i = 0; i < count; ++i) {
    auto const numbers = random.at(7, i);
    sum += numbers.normal;
    squares += numbers.normal * numbers.normal;
    uniform += numbers.uniform;
  }
  // Four standard deviations of each mean.
  CHECK(std::abs(sum / count) < 0.04);
  CHECK(squares / count == doctest::Approx(1).epsilon(0.06));
  CHECK(uniform / count == doctest::Approx(0.5).epsilon(0.012));
  CHECK(random.at(7, 3).normal == random.at(7, 3).normal);
  CHECK(random.at(7, 3).normal != random.at(8, 3).normal);
  CHECK(random.at(7, 3).normal != other.at(7, 3).normal);
  view.trainer = 1;
  CHECK(random.at(7, 3).normal != runtime::RandomChange(view, "perturb", "w").at(7, 3).normal);
}
