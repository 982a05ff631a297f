// Scalar functions: values at ordinary and extreme points, derivatives by finite differences.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "schemas/expression/builder.hpp"
#include "schemas/functions/all.hpp"
#include "schemas/functions/float16_bits.hpp"
#include "schemas/functions/function.hpp"

using namespace lbann;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Case {
  std::vector<double> arguments;
  double value;
};

// Exact where the result is representable, else within 2 ulp of the C library.
std::map<std::string, std::vector<Case>> const cases = {
    {"add", {{{1, 2}, 3}, {{infinity, -infinity}, nan}, {{0.5, -0.5}, 0}}},
    {"subtract", {{{1, 2}, -1}, {{infinity, infinity}, nan}}},
    {"multiply", {{{3, -2}, -6}, {{0, infinity}, nan}}},
    {"divide", {{{1, 4}, 0.25}, {{1, 0}, infinity}, {{0, 0}, nan}}},
    {"negative", {{{2}, -2}, {{-infinity}, infinity}}},
    {"maximum", {{{1, 2}, 2}, {{2, 1}, 2}, {{nan, 1}, nan}, {{1, nan}, nan}}},
    {"minimum", {{{1, 2}, 1}, {{2, 1}, 1}, {{nan, 1}, nan}, {{1, nan}, nan}}},
    {"square", {{{-3}, 9}, {{nan}, nan}}},
    {"sqrt", {{{2.25}, 1.5}, {{-1}, nan}, {{0}, 0}}},
    {"abs", {{{-2}, 2}, {{-infinity}, infinity}, {{nan}, nan}}},
    {"sign", {{{-2}, -1}, {{0}, 0}, {{7}, 1}}},
    {"exp", {{{0}, 1}, {{1}, std::exp(1.0)}, {{-1000}, 0}, {{1000}, infinity}, {{nan}, nan}}},
    {"log", {{{1}, 0}, {{10}, std::log(10.0)}, {{0}, -infinity}, {{-1}, nan}}},
    {"tanh", {{{0}, 0}, {{0.5}, std::tanh(0.5)}, {{50}, 1}, {{-50}, -1}, {{nan}, nan}}},
    {"sigmoid", {{{0}, 0.5}, {{40}, 1}, {{-1000}, 0}, {{1000}, 1}, {{nan}, nan}}},
    {"pow", {{{2, 10}, 1024}, {{4, 0.5}, 2}, {{-2, 3}, -8}, {{0, 0}, 1}, {{-1, 0.5}, nan}}},
    {"equal", {{{1, 1}, 1}, {{1, 2}, 0}, {{nan, nan}, 0}}},
    {"less", {{{1, 2}, 1}, {{2, 2}, 0}, {{nan, 1}, 0}}},
    {"less_equal", {{{2, 2}, 1}, {{3, 2}, 0}, {{nan, 1}, 0}}},
    {"logical_and", {{{1, 2}, 1}, {{1, 0}, 0}}},
    {"logical_or", {{{0, 2}, 1}, {{0, 0}, 0}}},
    {"logical_not", {{{0}, 1}, {{3}, 0}}},
    {"reciprocal", {{{4}, 0.25}, {{0}, infinity}, {{-infinity}, 0}, {{nan}, nan}}},
    {"round", {{{2.5}, 3}, {{-2.5}, -3}, {{0.49999999999999994}, 0}, {{infinity}, infinity}}},
    {"ceil", {{{2.1}, 3}, {{-2.9}, -2}, {{7}, 7}, {{nan}, nan}}},
    {"floor", {{{2.9}, 2}, {{-2.1}, -3}, {{7}, 7}, {{nan}, nan}}},
    {"mod", {{{7, 3}, 1}, {{-7, 3}, -1}, {{7, -3}, 1}, {{1, 0}, nan}, {{3, infinity}, 3}}},
    {"expm1", {{{0}, 0}, {{1e-10}, std::expm1(1e-10)}, {{-100}, -1}, {{1000}, infinity}}},
    {"log1p", {{{0}, 0}, {{1e-10}, std::log1p(1e-10)}, {{-1}, -infinity}, {{-2}, nan}}},
    {"sin", {{{0}, 0}, {{2}, std::sin(2.0)}, {{infinity}, nan}}},
    {"cos", {{{0}, 1}, {{2}, std::cos(2.0)}, {{infinity}, nan}}},
    {"tan", {{{0}, 0}, {{2}, std::tan(2.0)}, {{infinity}, nan}}},
    {"acos", {{{1}, 0}, {{0.5}, std::acos(0.5)}, {{1.5}, nan}}},
    {"asin", {{{0}, 0}, {{0.5}, std::asin(0.5)}, {{1.5}, nan}}},
    {"atan", {{{0}, 0}, {{0.5}, std::atan(0.5)}, {{infinity}, std::atan(infinity)}}},
    {"cosh", {{{0}, 1}, {{0.5}, std::cosh(0.5)}, {{-1000}, infinity}}},
    {"sinh", {{{0}, 0}, {{0.5}, std::sinh(0.5)}, {{-1000}, -infinity}}},
    {"acosh", {{{1}, 0}, {{2}, std::acosh(2.0)}, {{0.5}, nan}}},
    {"asinh", {{{0}, 0}, {{2}, std::asinh(2.0)}, {{-infinity}, -infinity}}},
    {"atanh", {{{0}, 0}, {{0.5}, std::atanh(0.5)}, {{1}, infinity}, {{2}, nan}}},
    {"erf", {{{0}, 0}, {{0.5}, std::erf(0.5)}, {{-10}, -1}, {{nan}, nan}}},
    {"erfinv", {{{0}, 0}, {{std::erf(0.25)}, 0.25}, {{-1}, -infinity}, {{2}, infinity}}},
    {"softplus", {{{0}, std::log(2.0)}, {{1000}, 1000}, {{-1000}, 0}, {{nan}, nan}}},
    {"softsign", {{{0}, 0}, {{-1}, -0.5}, {{3}, 0.75}, {{nan}, nan}}},
    {"stop_gradient", {{{3}, 3}, {{-infinity}, -infinity}, {{nan}, nan}}},
    {"bfloat16",
     {{{1}, 1},
      {{1 + 0x1p-8}, 1},
      {{1 + 0x1.8p-8}, 1 + 0x1p-7},
      {{1 + 0x3p-8}, 1 + 0x1p-6},
      {{-3.1}, -3.09375},
      {{0x1p-133}, 0x1p-133},
      {{3.4e38}, infinity},
      {{-infinity}, -infinity},
      {{nan}, nan}}},
    {"float16",
     {{{1}, 1},
      {{1 + 0x1p-11}, 1},
      {{1 + 0x1.8p-11}, 1 + 0x1p-10},
      {{1 + 0x3p-11}, 1 + 0x1p-9},
      {{-3.1}, -3.099609375},
      {{0x1p-24}, 0x1p-24},
      {{0x1p-25}, 0},
      {{0x1.8p-24}, 0x1p-23},
      {{65519}, 65504},
      {{65520}, infinity},
      {{-infinity}, -infinity},
      {{nan}, nan}}},
    {"select", {{{1, 2, 3}, 2}, {{0, 2, 3}, 3}, {{nan, 2, 3}, 3}}},
};

bool near(double found, double expected) {
  if (std::isnan(expected)) return std::isnan(found);
  return found == expected || std::abs(found - expected) <=
                                  2 * std::numeric_limits<double>::epsilon() * std::abs(expected);
}

double value_of(Expression const& expression, std::vector<double> const& operands) {
  std::vector<double> values;
  for (auto const& node : expression.nodes) {
    std::array<double, 3> arguments{};
    for (std::size_t i = 0; i < 3 && node.kind == Node::Kind::function; ++i)
      if (i < info_of(node.function).arity) arguments[i] = values[node.arguments[i]];
    values.push_back(node.kind == Node::Kind::operand ? operands[node.arguments[0]]
                     : node.kind == Node::Kind::constant
                         ? node.constant
                         : info_of(node.function).value(arguments.data()));
  }
  return values[expression.outputs[0]];
}

}  // namespace

TEST_CASE("every function has cases, and gives their values") {
  CHECK(cases.size() == function_count());
  for (auto const& [name, list] : cases) {
    auto const function = function_named(name);
    REQUIRE_MESSAGE(function, name);
    for (auto const& [arguments, expected] : list) {
      REQUIRE(arguments.size() == info_of(*function).arity);
      CAPTURE(name);
      CAPTURE(arguments[0]);
      CHECK(near(info_of(*function).value(arguments.data()), expected));
    }
  }
}

TEST_CASE("every function's derivative equals finite differences") {
  // Away from steps and kinks, and where the function is defined.
  std::vector<double> const ordinary = {1.3, 0.7, 0.45}, within_one = {0.3};
  std::set<std::string_view> const of_fractions = {"acos", "asin", "atanh", "erfinv"};
  double const h = 1e-6;
  for (std::size_t number = 0; number < function_count(); ++number) {
    auto const function = static_cast<Function>(number);
    auto const& info = info_of(function);
    // The first hides its derivative, the others are stairs with the slope of what they round.
    if (function == Function::stop_gradient || function == Function::bfloat16 ||
        function == Function::float16)
      continue;
    auto const& point = of_fractions.contains(info.name) ? within_one : ordinary;
    for (std::size_t index = 0; index < info.arity; ++index) {
      ExpressionBuilder builder;
      std::vector<Term> terms;
      for (std::size_t i = 0; i < info.arity; ++i) terms.push_back(builder.operand(i));
      auto const result = builder.apply(function, terms);
      auto const derivative = builder.finish({info.derivative(terms.data(), result, index)});
      auto more = point, less = point;
      more[index] += h;
      less[index] -= h;
      auto const expected = (info.value(more.data()) - info.value(less.data())) / (2 * h);
      CAPTURE(info.name);
      CAPTURE(index);
      CHECK(value_of(derivative, point) == doctest::Approx(expected).epsilon(1e-8));
    }
  }
}

TEST_CASE("a gradient stops where it is told to") {
  ExpressionBuilder builder;
  auto const x = builder.operand(0);
  auto const stopped = builder.apply(Function::stop_gradient, {x});
  CHECK_FALSE(gradient_of(builder.finish({stopped}), 0, {true}));
  auto const gradient = gradient_of(builder.finish({x * stopped}), 0, {true});
  REQUIRE(gradient);
  CHECK(value_of(*gradient, {3, 9, 2}) == 6);
}

TEST_CASE("the reciprocal passes on nothing of nothing, also at 0") {
  ExpressionBuilder builder;
  auto const y = builder.apply(Function::reciprocal, {builder.operand(0)});
  auto const gradient = gradient_of(builder.finish({y}), 0, {true});
  REQUIRE(gradient);
  CHECK(value_of(*gradient, {0, infinity, 0}) == 0);
  CHECK(value_of(*gradient, {0, infinity, 1}) == -infinity);
  CHECK(value_of(*gradient, {2, 0.5, 3}) == -0.75);
}

TEST_CASE("function_named knows the names of the list alone") {
  CHECK(function_named("tanh") == Function::tanh);
  CHECK_FALSE(function_named("tangent"));
  CHECK_FALSE(function_named(""));
}

namespace {

/// `x` to a multiple of 2^-24, of 11 bits from 2^-14 on; halves to even.
double nearest_float16(double x) {
  if (!std::isfinite(x) || std::abs(x) >= 65520) return x + std::copysign(infinity, x);
  int exponent = 0;
  std::frexp(x, &exponent);
  auto const unit = std::ldexp(1.0, std::max(exponent - 11, -24));
  return std::copysign(std::nearbyint(x / unit) * unit, x);
}

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace

TEST_CASE("f16: all its numbers, and those between them") {
  int apart = 0;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto const value = float16_value(static_cast<std::uint16_t>(bits));
    bool const is_nan = (bits & 0x7fff) > 0x7c00;
    apart += std::isnan(value) == is_nan ? 0 : 1;
    if (is_nan) continue;
    apart += float16_bits(value) == bits && same(value, nearest_float16(value)) ? 0 : 1;
    // The half between it and the next, and the f32 around that.
    auto const next = float16_value(static_cast<std::uint16_t>((bits & 0x7fff) + 1));
    if (!std::isfinite(next) || !std::isfinite(value)) continue;
    auto const half = std::copysign((std::abs(value) + next) / 2, value);
    for (auto const x : {half, std::nextafter(half, 0.0f), std::nextafter(half, 2 * half)})
      apart += same(float16_value(float16_bits(x)), nearest_float16(x)) ? 0 : 1;
  }
  CHECK(apart == 0);
}
