// random: all implementations, the laws, and what the numbers may not depend on.
#include <doctest/doctest.h>

#include <cmath>

#include "kernels/normal.hpp"
#include "tests/support/kernel_case.hpp"

using namespace lbann;
using operators::Distribution;
using testing::KernelCase;
using testing::Values;

namespace {

TensorTypes const inputs(3, {DataType::i64, Shape{}});

Values drawn(operators::random const& op, std::int64_t samples, double seed, double step,
             double first_sample, std::string_view name = testing::family()) {
  return KernelCase(op, inputs, samples)
      .set(0, {seed})
      .set(1, {step})
      .set(2, {first_sample})
      .run(*testing::implementation_of(op, name))[0];
}

}  // namespace

TEST_CASE("random: all implementations agree to the bit") {
  for (auto type : {DataType::f32, DataType::f64, DataType::u8})
    for (auto distribution :
         {Distribution::uniform, Distribution::normal, Distribution::bernoulli}) {
      if (type == DataType::u8 && distribution != Distribution::bernoulli) continue;
      for (auto const& shape : {Shape{batch_extent, {1}}, Shape{batch_extent, {37}},
                                Shape{batch_extent, {3}, {50}}, Shape{{1000}}, Shape{}})
        for (std::int64_t samples : {0, 1, 2, 3, 17}) {
          double const first = distribution == Distribution::bernoulli ? 0.3 : -1;
          KernelCase(operators::random{distribution, first, 2, 77, shape, type}, inputs, samples)
              .set(0, {1})
              .set(1, {5})
              .set(2, {11})
              .check(0);
        }
    }
}

TEST_CASE("random: values follow the sample, not its place in the mini-batch") {
  operators::random const op{Distribution::normal, 0, 1, 9, Shape{batch_extent, {33}},
                             DataType::f32};
  auto const all = drawn(op, 8, 1, 2, 0);
  auto const part = drawn(op, 3, 1, 2, 5);
  CHECK(Values(all.begin() + 5 * 33, all.end()) == part);
  CHECK(drawn(op, 8, 1, 3, 0) != all);
  CHECK(drawn(op, 8, 2, 2, 0) != all);
  auto other = op;
  other.key = 10;
  CHECK(drawn(other, 8, 1, 2, 0) != all);
}

TEST_CASE("random: a part of a tensor has the numbers of the whole") {
  struct Cut {
    std::vector<std::int64_t> begin, size;
  };
  Shape const samples{batch_extent, {5}, {7}}, weights{{6}, {5}, {7}};
  for (auto const& shape : {samples, weights})
    for (auto type : {DataType::f32, DataType::f64}) {
      auto const whole = shape.at(6);
      operators::random op{Distribution::uniform, 0, 1, 9, shape, type};
      auto const all = drawn(op, 6, 1, 2, 3, "reference");
      for (auto const& [begin, size] :
           {Cut{{0, 0, 0}, {6, 5, 7}}, Cut{{2, 0, 0}, {3, 5, 7}}, Cut{{1, 2, 0}, {4, 2, 7}},
            Cut{{0, 0, 3}, {6, 5, 4}}, Cut{{3, 1, 2}, {2, 3, 1}}, Cut{{0, 4, 6}, {1, 1, 1}},
            Cut{{0, 2, 2}, {6, 0, 3}}}) {
        Values expected;
        for (auto i = begin[0]; i < begin[0] + size[0]; ++i)
          for (auto j = begin[1]; j < begin[1] + size[1]; ++j)
            for (auto k = begin[2]; k < begin[2] + size[2]; ++k)
              expected.push_back(all[static_cast<std::size_t>((i * 5 + j) * 7 + k)]);
        for (std::size_t d = 0; d < 3; ++d)
          if (!shape.extents[d].batch) op.shape.extents[d].size = size[d];
        for (auto const& implementation : kernels::implementations(Operator(op).index())) {
          KernelCase part(op, inputs, size[0]);
          part.set(0, {1}).set(1, {2}).set(2, {3}).part(begin, whole);
          if (part.accepts(implementation)) CHECK(part.run(implementation)[0] == expected);
        }
      }
    }
}

TEST_CASE("random: moments and bounds of the laws") {
  for (auto type : {DataType::f32, DataType::f64}) {
    std::int64_t const n = 200000;
    auto moments = [&](Distribution distribution, double first, double second) {
      auto const values = drawn({distribution, first, second, 3, Shape{{n}}, type}, 1, 7, 0, 0);
      double mean = 0, square = 0, low = 1e9, high = -1e9;
      for (auto value : values) {
        mean += value / n;
        low = std::min(low, value);
        high = std::max(high, value);
      }
      for (auto value : values) square += (value - mean) * (value - mean) / n;
      return std::array{mean, square, low, high};
    };
    auto const uniform = moments(Distribution::uniform, -1, 3);
    CHECK(std::fabs(uniform[0] - 1) < 0.015);
    CHECK(std::fabs(uniform[1] - 16.0 / 12) < 0.015);
    CHECK(uniform[2] >= -1);
    CHECK(uniform[3] < 3);
    auto const normal = moments(Distribution::normal, 2, 0.5);
    CHECK(std::fabs(normal[0] - 2) < 0.005);
    CHECK(std::fabs(normal[1] - 0.25) < 0.005);
    CHECK(normal[2] < 0.1);
    CHECK(normal[3] > 3.9);
    auto const bernoulli = moments(Distribution::bernoulli, 0.8, 1.25);
    CHECK(std::fabs(bernoulli[0] - 1) < 0.005);
    CHECK(bernoulli[2] == 0);
    CHECK(bernoulli[3] == 1.25);
    CHECK(moments(Distribution::bernoulli, 1, 1)[2] == 1);
    CHECK(moments(Distribution::bernoulli, 0, 1)[3] == 0);
  }
}

TEST_CASE("normal_quantile inverts the distribution function") {
  for (double p = 1e-10; p < 1; p = p < 0.01 ? p * 1.7 : p + 0.0037) {
    auto const x = kernels::normal_quantile(p);
    CHECK(0.5 * std::erfc(-x / std::sqrt(2.0)) == doctest::Approx(p).epsilon(1e-13));
    // 1 - p is rounded, which the tail magnifies.
    CHECK(kernels::normal_quantile(1 - p) == doctest::Approx(-x).epsilon(1e-7));
  }
}

TEST_CASE("normal_number in f32 is that in f64, rounded") {
  auto const check = [](std::uint32_t word) {
    auto const exact = kernels::normal_number<double>(word);
    auto const found = static_cast<double>(kernels::normal_number<float>(word));
    CHECK(std::fabs(found - exact) <= 3e-7 * std::fabs(exact));
    CHECK(kernels::normal_number<float>(~word) == -kernels::normal_number<float>(word));
  };
  for (std::uint32_t near : {0u, 1u << 31, (1u << 31) - (1u << 29), 0xF5000000u})
    for (std::uint32_t offset = 0; offset < 64; ++offset) check(near + offset);
  for (std::uint64_t word = 0; word < std::uint64_t{1} << 32; word += 1000003)
    check(static_cast<std::uint32_t>(word));
}
