// Powers with any exponent.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"
#include "schemas/functions/logarithm.hpp"

namespace lbann::functions {

namespace detail {

/// x^y of x >= 0: exp(y log x), the logarithm to twice the precision.
LBANN_FUNCTION double power(double x, double y) {
  auto const [high, low] = long_logarithm(x);
  double const l = logarithm_at_edges(x, high);
  double const e = y * l;
  // Where the result is 0 or infinite, what the product lost is not a number.
  double const lost = std::fma(y, l, -e) + y * low;
  bool const inside = (e > -800) & (e < 800);
  return exponential(e, inside ? lost : 0.0);
}
/// In double, which is precise enough by itself.
LBANN_FUNCTION float power(float x, float y) {
  double const wide = x;
  auto const [exponent, mantissa] = split(wide);
  double const f = mantissa - 1, s = f / (2 + f);
  double const logarithm = exponent * 0.693147180559945309417 + s * (2 + logarithm_tail(s * s));
  double const e = static_cast<double>(y) * logarithm_at_edges(wide, logarithm);
  return static_cast<float>(exponential(e, 0.0));
}

}  // namespace detail

/// As C's pow. d/dx = y x^(y - 1), d/dy = log(x) x^y.
struct pow {
  static constexpr std::string_view name = "pow";
  static constexpr std::string_view summary = "x to the power of y";

  template <class T>
  LBANN_FUNCTION static T value(T x, T y) {
    T const magnitude = detail::power(std::fabs(x), y);
    bool const whole = std::trunc(y) == y;
    bool const even = std::trunc(y * T(0.5)) == y * T(0.5);
    bool const odd = whole & !even;
    bool const below = std::copysign(T(1), x) < T(0);
    T const signed_power = (below & odd) ? -magnitude : magnitude;
    bool const undefined = (x < T(0)) & !whole & (x > -std::numeric_limits<T>::infinity());
    T const power = undefined ? std::numeric_limits<T>::quiet_NaN() : signed_power;
    bool const unit = std::fabs(x) == T(1);
    bool const endless = std::fabs(y) == std::numeric_limits<T>::infinity();
    return ((x == T(1)) | (y == T(0)) | (unit & endless)) ? T(1) : power;
  }
  static Term derivative(std::array<Term, 2> const& x, Term result, std::size_t index) {
    auto* const b = x[0].builder;
    if (index == 0) return x[1] * b->apply(Function::pow, {x[0], x[1] - 1.0});
    return result * b->apply(Function::log, {x[0]});
  }
};

}  // namespace lbann::functions
