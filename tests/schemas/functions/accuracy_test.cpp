// Approximations of exp, log, tanh, erf, pow and others: within 2 ulp of long double, in f32 and
// f64, over their whole range; what C says at zeros, infinities and NaN.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "schemas/functions/all.hpp"

using namespace lbann;

namespace {

/// Distance in units of the last place of `exact` as a T.
template <class T>
double ulps(T found, long double exact) {
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found) ? 0 : INFINITY;
  auto const rounded = static_cast<T>(exact);
  if (std::isinf(rounded) || std::isinf(found)) {
    // One ulp from the largest number to infinity.
    auto const largest = std::numeric_limits<T>::max();
    if (rounded == found) return 0;
    return std::fabs(found) == largest || std::fabs(rounded) == largest ? 1 : INFINITY;
  }
  int exponent = 0;
  std::frexp(exact, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  auto const unit = std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
  return static_cast<double>(std::fabs(static_cast<long double>(found) - exact) / unit);
}

/// Numbers of all magnitudes, dense within `dense` of 0, and edges.
template <class T>
std::vector<T> arguments(double dense, std::size_t count) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> uniform(-dense, dense), near_one(0.7, 1.4);
  std::vector<T> result = {0,
                           T(-0.0),
                           1,
                           -1,
                           std::numeric_limits<T>::infinity(),
                           -std::numeric_limits<T>::infinity(),
                           std::numeric_limits<T>::quiet_NaN(),
                           std::numeric_limits<T>::min(),
                           std::numeric_limits<T>::denorm_min(),
                           std::numeric_limits<T>::max(),
                           std::numeric_limits<T>::lowest(),
                           std::numeric_limits<T>::epsilon()};
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(static_cast<T>(uniform(engine)));
    result.push_back(static_cast<T>(uniform(engine) / dense));
    result.push_back(static_cast<T>(near_one(engine)));
    if constexpr (sizeof(T) == 4)
      result.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(engine())));
    else
      result.push_back(std::bit_cast<double>(static_cast<std::uint64_t>(engine())));
  }
  return result;
}

template <class T, class F>
void check_unary(std::string_view name, double dense, long double (*exact)(long double)) {
  double worst = 0;
  T at = 0;
  for (auto x : arguments<T>(dense, 50000)) {
    auto const distance = ulps(F::template value<T>(x), exact(x));
    if (distance > worst) worst = distance, at = x;
  }
  MESSAGE(name << (sizeof(T) == 4 ? " f32 " : " f64 ") << worst << " ulp at " << at);
  CHECK(worst <= 2);
}

template <class T>
long double logistic(long double x) {
  if (x < functions::detail::ExponentialOf<T>::lowest_normal) return 0;
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

/// One step of Newton's method from `found`, which is close already.
template <class T>
double inverse_error_ulps(T x) {
  auto const found = functions::erfinv::value(x);
  if (!(std::fabs(x) < 1) || x == 0)
    return ulps(found, x == 0 ? 0.0L : x > 0 ? INFINITY : x < 0 ? -INFINITY : NAN);
  long double const y = std::fabs(found), magnitude = std::fabs(x);
  auto const error = magnitude < 0.5L ? std::erf(y) - magnitude : (1 - magnitude) - std::erfc(y);
  constexpr long double half_root_pi = 0.886226925452758013649L;
  return ulps(std::fabs(found), y - error * half_root_pi * std::exp(y * y));
}

template <class T>
void check_all(double range) {
  check_unary<T, functions::exp>("exp", range, [](long double x) { return std::exp(x); });
  check_unary<T, functions::log>("log", 10, [](long double x) { return std::log(x); });
  check_unary<T, functions::tanh>("tanh", 20, [](long double x) { return std::tanh(x); });
  check_unary<T, functions::sigmoid>("sigmoid", range, logistic<T>);
  check_unary<T, functions::expm1>("expm1", range, [](long double x) { return std::expm1(x); });
  check_unary<T, functions::log1p>("log1p", 2, [](long double x) { return std::log1p(x); });
  check_unary<T, functions::softplus>("softplus", 50, [](long double x) {
    return std::max(x, 0.0L) + std::log1p(std::exp(-std::fabs(x)));
  });
  check_unary<T, functions::erf>("erf", 7, [](long double x) { return std::erf(x); });
}

/// What is the C library's own.
template <class T>
void check_library() {
  check_unary<T, functions::round>("round", 9, [](long double x) { return std::round(x); });
  check_unary<T, functions::ceil>("ceil", 9, [](long double x) { return std::ceil(x); });
  check_unary<T, functions::floor>("floor", 9, [](long double x) { return std::floor(x); });
  check_unary<T, functions::sin>("sin", 9, [](long double x) { return std::sin(x); });
  check_unary<T, functions::cos>("cos", 9, [](long double x) { return std::cos(x); });
  check_unary<T, functions::tan>("tan", 9, [](long double x) { return std::tan(x); });
  check_unary<T, functions::acos>("acos", 1, [](long double x) { return std::acos(x); });
  check_unary<T, functions::asin>("asin", 1, [](long double x) { return std::asin(x); });
  check_unary<T, functions::atan>("atan", 9, [](long double x) { return std::atan(x); });
  check_unary<T, functions::cosh>("cosh", 90, [](long double x) { return std::cosh(x); });
  check_unary<T, functions::sinh>("sinh", 90, [](long double x) { return std::sinh(x); });
  check_unary<T, functions::acosh>("acosh", 9, [](long double x) { return std::acosh(x); });
  check_unary<T, functions::asinh>("asinh", 9, [](long double x) { return std::asinh(x); });
  check_unary<T, functions::atanh>("atanh", 1, [](long double x) { return std::atanh(x); });
}

template <class T>
void check_erfinv() {
  double worst = 0;
  T at = 0;
  for (auto x : arguments<T>(1, 20000)) {
    auto const distance = inverse_error_ulps(x);
    if (distance > worst) worst = distance, at = x;
  }
  MESSAGE("erfinv" << (sizeof(T) == 4 ? " f32 " : " f64 ") << worst << " ulp at " << at);
  CHECK(worst <= 2);
}

template <class T>
void check_pow() {
  auto const x = arguments<T>(4, 20000), y = arguments<T>(40, 20000);
  std::mt19937_64 engine(3);
  double worst = 0;
  T at_x = 0, at_y = 0;
  auto check = [&](T a, T b) {
    auto const distance = ulps(functions::pow::value(a, b),
                               std::pow(static_cast<long double>(a), static_cast<long double>(b)));
    if (distance > worst) worst = distance, at_x = a, at_y = b;
  };
  for (int i = 0; i < 100000; ++i) {
    auto const a = x[engine() % x.size()], b = y[engine() % y.size()];
    check(a, b);
    check(std::fabs(a), b);
    check(a, std::round(b));
    check(std::fabs(a), static_cast<T>(700 / std::log(std::fabs(static_cast<double>(a)))));
  }
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) check(x[i], y[j]);
  for (T a : {T(-3), T(-0.5), T(-0.0), T(0), -std::numeric_limits<T>::infinity()})
    for (T b : {T(3), T(2), T(-3), T(-2), T(0.5), T(-0.5)}) check(a, b);
  MESSAGE("pow" << (sizeof(T) == 4 ? " f32 " : " f64 ") << worst << " ulp at " << at_x << ", "
                << at_y);
  CHECK(worst <= 2);
}

}  // namespace

TEST_CASE("exp, log, tanh, sigmoid, expm1, log1p, softplus, erf are within 2 ulp") {
  check_all<float>(110);
  check_all<double>(760);
}

TEST_CASE("functions of the C library are within 2 ulp") {
  check_library<float>();
  check_library<double>();
}

TEST_CASE("erfinv is within 2 ulp") {
  check_erfinv<float>();
  check_erfinv<double>();
}

TEST_CASE("pow is within 2 ulp") {
  check_pow<float>();
  check_pow<double>();
}

TEST_CASE("signs of zeros are kept") {
  CHECK(std::signbit(functions::tanh::value(-0.0)));
  CHECK(std::signbit(functions::tanh::value(-1e-310)));
  CHECK(std::signbit(functions::pow::value(-0.0f, 3.0f)));
  CHECK(!std::signbit(functions::pow::value(-0.0f, 2.0f)));
  CHECK(std::signbit(functions::negative::value(0.0)));
  CHECK(std::signbit(functions::expm1::value(-0.0f)));
  CHECK(std::signbit(functions::log1p::value(-0.0)));
  CHECK(std::signbit(functions::round::value(-0.3f)));
  CHECK(std::signbit(functions::erf::value(-0.0f)));
  CHECK(std::signbit(functions::erfinv::value(-0.0)));
}
