// Figures against closed forms.
#include "runtime/inspection/field_summary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace lbann::runtime {

using Lines = std::vector<std::string>;
using Counts = std::vector<std::int64_t>;

TEST_CASE("range, mean and deviation of 1 ... n far from 0") {
  FieldSummary summary({2, 2});
  constexpr int n = 1000;
  for (int i = 1; i <= n; i += 4) {
    std::vector<double> const sample{1e9 + i, 1e9 + i + 1, 1e9 + i + 2, 1e9 + i + 3};
    summary.add(sample);
  }
  CHECK(summary.finite() == n);
  CHECK(summary.least() == 1e9 + 1);
  CHECK(summary.most() == 1e9 + n);
  CHECK(summary.mean() == doctest::Approx(1e9 + (n + 1) / 2.0).epsilon(1e-15));
  CHECK(summary.deviation() == doctest::Approx(std::sqrt((n * n - 1) / 12.0)).epsilon(1e-9));
  CHECK(summary.classes().empty());
}

TEST_CASE("what is not finite is counted by itself") {
  constexpr auto inf = std::numeric_limits<double>::infinity();
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  FieldSummary summary({3});
  summary.add(std::vector<double>{nan, 2, inf});
  summary.add(std::vector<double>{-inf, 4, nan});
  CHECK(summary.lines() == Lines{"2 numbers from 2 to 4, mean 3, deviation 1, 2 NaN, 2 infinite"});
  FieldSummary none({1});
  none.add(std::vector<double>{nan});
  CHECK(none.lines() == Lines{"no finite number, 1 NaN"});
}

TEST_CASE("classes, while all samples are one-hot") {
  FieldSummary summary({3});
  summary.add(std::vector<double>{0, 0, 1});
  summary.add(std::vector<double>{1, 0, 0});
  summary.add(std::vector<double>{0, 0, 1});
  CHECK(summary.classes() == Counts{1, 0, 2});
  CHECK(summary.lines().back() == "  0: 1 1: 0 2: 2");
  for (auto const& other : {std::vector<double>{0, 1, 1}, {0, 0, 0}, {0, 0.5, 0}, {0, 1, 0.5}}) {
    auto changed = summary;
    changed.add(other);
    CHECK(changed.classes().empty());
    CHECK(changed.lines().size() == 1);
  }
}

}  // namespace lbann::runtime
