// The comparison of gradients with differences: right ones pass, wrong ones do not.
#include "runtime/callbacks/gradient_check.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace lbann;
using namespace lbann::runtime;

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

template <class T>
struct Cubes {
  std::vector<T> weights{T(0.5), T(-1.25), T(2)}, gradients{T(0), T(0), T(0)};
  std::vector<GradientEntry> seen;

  /// Sum of w^3 / 3, whose gradient is w^2.
  double value() const {
    double sum = 0;
    for (auto w : weights) sum += std::pow(static_cast<double>(w), 3) / 3;
    return sum;
  }

  void compare(DataType type, DifferenceScale scale) {
    TensorType const of{type, Shape({{3, false}})};
    compare_gradients(
        kernels::make_view(weights.data(), of, 0), kernels::make_view(gradients.data(), of, 0),
        scale, [&] { return value(); }, [&](GradientEntry const& entry) { seen.push_back(entry); });
  }
};

}  // namespace

TEST_CASE("step and tolerance are LBANN's") {
  auto const e = std::pow(std::numeric_limits<float>::epsilon(), 0.9);
  CHECK(e == doctest::Approx(5.9e-7).epsilon(0.02));
  auto const chosen = DifferenceScale::of(4, 0, DataType::f32);
  CHECK(chosen.step == doctest::Approx(4 * std::sqrt(e)));
  CHECK(chosen.tolerance ==
        doctest::Approx(std::pow(e * 4 / chosen.step + std::pow(chosen.step, 4) / 18, 0.9)));
  CHECK(DifferenceScale::of(4, 0.01, DataType::f32).step == 0.01);
  CHECK(DifferenceScale::of(0, 0, DataType::f32).step == std::numeric_limits<double>::epsilon());
  CHECK(std::isnan(DifferenceScale::of(-4, 0, DataType::f32).tolerance));
  CHECK(DifferenceScale::of(4, 0, DataType::f64).tolerance < 1e-3 * chosen.tolerance);
}

TEST_CASE("what is too far or not finite is wrong") {
  CHECK_FALSE(is_wrong(1, 1.5, 0.5));
  CHECK(is_wrong(1, 1.5, 0.49));
  CHECK(is_wrong(1.5, 1, 0.49));
  CHECK(is_wrong(undefined, 1, 10));
  CHECK(is_wrong(1, undefined, 10));
  CHECK(is_wrong(1, std::numeric_limits<double>::infinity(), 10));
  CHECK_FALSE(is_wrong(1, 5, undefined));
  CHECK(is_wrong(undefined, 5, undefined));
}

TEST_CASE_TEMPLATE("differences find the entry with the wrong gradient", T, float, double) {
  auto const type = sizeof(T) == 8 ? DataType::f64 : DataType::f32;
  Cubes<T> cubes;
  auto const before = cubes.weights;
  for (std::size_t i = 0; i < 3; ++i) cubes.gradients[i] = cubes.weights[i] * cubes.weights[i];
  cubes.gradients[1] += T(0.01);
  auto const scale = DifferenceScale::of(cubes.value(), 0, type);
  cubes.compare(type, scale);
  REQUIRE(cubes.seen.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(cubes.seen[i].entry == static_cast<std::int64_t>(i));
    CHECK(cubes.seen[i].wrong == (i == 1));
    CHECK(cubes.seen[i].difference ==
          doctest::Approx(std::pow(static_cast<double>(before[i]), 2)).epsilon(1e-3));
  }
  CHECK(cubes.seen[1].error() == doctest::Approx(0.01).epsilon(0.05));
  CHECK(cubes.weights == before);
}
