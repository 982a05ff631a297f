// Places of ticks and of points.
#include "runtime/report/chart.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/contains.hpp"

using namespace lbann::runtime;
using testing::contains;

namespace {

constexpr auto none = std::numeric_limits<double>::quiet_NaN();

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Chart chart_of(std::vector<double> y) {
  Series series{"a & b", 3, 0, false, {}, std::move(y)};
  for (std::size_t i = 0; i < series.y.size(); ++i) series.x.push_back(static_cast<double>(i));
  return {"title", "steps", "%", "", {series}};
}

}  // namespace

TEST_CASE("ticks are round and within the range") {
  CHECK(ticks(0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(ticks(-0.3, 0.3, 3).size() == 3);
  CHECK(ticks(1, 3, 6, 1) == std::vector<double>{1, 2, 3});
  CHECK(ticks(5, 5, 5) == std::vector<double>{5});
  for (auto const& [least, most] : {std::pair{0.0, 1.0}, {1e-9, 3e-9}, {-7e5, 2e6}, {99.1, 99.9}})
    for (int wanted : {2, 5, 9}) {
      auto const values = ticks(least, most, wanted);
      CHECK(values.size() >= 1);
      CHECK(values.size() <= static_cast<std::size_t>(wanted) + 2);
      for (auto const value : values) {
        CHECK(value >= least - 1e-9 * std::abs(least));
        CHECK(value <= most + 1e-9 * std::abs(most));
      }
    }
}

TEST_CASE("logarithmic ticks are powers of ten, denser over few of them") {
  CHECK(logarithmic_ticks(1e-4, 1e2) == std::vector<double>{1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2});
  CHECK(logarithmic_ticks(0.9, 25) == std::vector<double>{1, 2, 5, 10, 20});
  CHECK(logarithmic_ticks(1e-300, 1e300).size() <= 9);
}

TEST_CASE("points are marked; what is not a number is a gap") {
  auto const svg = svg_of(chart_of({1, 2, none, 4, 5, none, 7}), AxisScale::linear);
  CHECK(count(svg, "<circle") == 5);
  CHECK(count(svg, "<polyline") == 2);
  CHECK(contains(svg, "<title>a &amp; b: 4 at 3</title>"));
  CHECK(count(svg, "class=\"run3\"") == 1);
}

TEST_CASE("a logarithmic axis leaves out what is not positive") {
  CHECK(count(svg_of(chart_of({-1, 0, 10, 100}), AxisScale::logarithmic), "<circle") == 2);
  CHECK(contains(svg_of(chart_of({-1, 0}), AxisScale::logarithmic), "nothing above 0"));
}

TEST_CASE("long lines are drawn by means within a band") {
  std::vector<double> y;
  for (int i = 0; i < 100'000; ++i) y.push_back(i % 2);
  auto const svg = svg_of(chart_of(y), AxisScale::linear);
  CHECK(count(svg, "<polygon") == 1);
  CHECK(count(svg, "<circle") == 0);
  CHECK(svg.size() < 30'000);
}

TEST_CASE("values that are all equal, or one alone, have a place") {
  for (auto const& y : {std::vector<double>{0.1}, {0, 0, 0}, {-5, -5}})
    for (auto const scale : {AxisScale::linear, AxisScale::logarithmic}) {
      auto const svg = svg_of(chart_of(y), scale);
      CHECK_FALSE(contains(svg, "nan"));
      CHECK_FALSE(contains(svg, "inf"));
    }
}

TEST_CASE("a chart without a number is empty") {
  CHECK(chart_of({none, none}).empty());
  CHECK(chart_of({}).empty());
  CHECK_FALSE(chart_of({none, 1}).empty());
}
