// Shares of mixtures: their moments, and mixtures in both types.
#include "runtime/data/mixing.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace lbann;
using namespace lbann::runtime;

TEST_CASE("shares have the moments of a beta distribution") {
  auto const key = random_key(7, 3);
  for (double alpha : {0.05, 0.2, 0.5, 1.0, 2.0, 30.0}) {
    CAPTURE(alpha);
    constexpr std::int64_t draws = 40000;
    double square = 0, fourth = 0;
    for (std::int64_t i = 0; i < draws; ++i) {
      auto const share = mixing_share(alpha, key, i % 3, i);
      REQUIRE(share >= 0.5);
      REQUIRE(share <= 1);
      auto const from_mean = (share - 0.5) * (share - 0.5);
      square += from_mean / draws;
      fourth += from_mean * from_mean / draws;
    }
    // The variance of Beta(a, a), and its fourth central moment 3 variance^2 (2 a + 1) / (2 a + 3);
    // which of b and 1 - b is meant changes neither.
    auto const variance = 1 / (4 * (2 * alpha + 1));
    auto const expected_fourth = 3 * variance * variance * (2 * alpha + 1) / (2 * alpha + 3);
    CHECK(square == doctest::Approx(variance).epsilon(0.03));
    CHECK(fourth == doctest::Approx(expected_fourth).epsilon(0.06));
  }
}

TEST_CASE("shares are functions of seed, epoch and position") {
  auto const key = random_key(7, 3);
  auto const share = mixing_share(1, key, 2, 5);
  CHECK(mixing_share(1, key, 2, 5) == share);
  CHECK(mixing_share(1, key, 3, 5) != share);
  CHECK(mixing_share(1, key, 2, 6) != share);
  CHECK(mixing_share(1, random_key(8, 3), 2, 5) != share);
}

TEST_CASE("the least alphas mix nothing") {
  auto const key = random_key(7, 3);
  for (double alpha : {1e-6, 1e-300, 5e-324})
    for (std::int64_t i = 0; i < 100; ++i) CHECK(mixing_share(alpha, key, 0, i) == 1);
}

TEST_CASE("mixtures of f32 and f64") {
  std::array<float, 3> a{1, -2, 3};
  std::array<float, 3> b{5, 6, -1};
  mix({a.data(), DataType::f32, 3}, {b.data(), DataType::f32, 3}, 0.75);
  CHECK(a == std::array<float, 3>{2, 0, 2});
  std::array<double, 2> c{1, -2};
  std::array<double, 2> d{5, 6};
  mix({c.data(), DataType::f64, 2}, {d.data(), DataType::f64, 2}, 0.75);
  CHECK(c == std::array<double, 2>{2, 0});
}
