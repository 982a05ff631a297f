// The inverse of the error function.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

namespace detail {

/// Of 0 <= x < 1: S. Winitzki's approximation (relative error below 0.0021), then Halley's method,
/// which cubes the error, twice.
LBANN_FUNCTION double inverse_error_function(double x) {
  constexpr double a = 0.147, two_over_pi = 0.636619772367581343076;
  constexpr double half_root_pi = 0.886226925452758013649;
  double const l = std::log1p(-x * x);
  double const middle = two_over_pi / a + 0.5 * l, product = -l / a;
  double y = std::sqrt(product / (std::sqrt(middle * middle + product) + middle));
  for (int i = 0; i < 2; ++i) {
    double const error = x < 0.5 ? std::erf(y) - x : (1 - x) - std::erfc(y);
    double const step = error * half_root_pi * std::exp(y * y);
    y -= step / (1 + y * step);
  }
  return y;
}

}  // namespace detail

/// Infinite at and beyond -1 and 1, with a gradient of 0. d/dx = sqrt(pi) / 2 exp(result^2).
struct erfinv {
  static constexpr std::string_view name = "erfinv";
  static constexpr std::string_view summary = "Inverse of the error function";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    T const magnitude = std::fabs(x);
    T const inside = magnitude < T(1) ? magnitude : magnitude - magnitude;
    T const found = static_cast<T>(detail::inverse_error_function(static_cast<double>(inside)));
    return std::copysign(magnitude >= T(1) ? std::numeric_limits<T>::infinity() : found, x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term result, std::size_t) {
    constexpr double half_root_pi = 0.886226925452758013649;
    auto* const b = x[0].builder;
    auto const inside = b->apply(Function::less, {b->apply(Function::abs, {x[0]}), b->constant(1)});
    auto const slope =
        half_root_pi * b->apply(Function::exp, {b->apply(Function::square, {result})});
    return b->apply(Function::select, {inside, slope, b->constant(0)});
  }
};

}  // namespace lbann::functions
