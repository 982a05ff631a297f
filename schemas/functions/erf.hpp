// The error function.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/exponential.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

namespace detail {

LBANN_FUNCTION double error_function(double x) { return std::erf(x); }

/// Without branches: x P(x^2) near 0, and 1 - exp(-|x| Q(|x|)) beyond; minimax polynomials of
/// N. Juffa's (https://stackoverflow.com/a/35148199).
LBANN_FUNCTION float error_function(float x) {
  float const t = std::fabs(x), s = x * x;
  float r = std::fma(-1.72853470e-5f, t, 3.83197126e-4f);
  float const u = std::fma(-3.88396438e-3f, t, 2.42546219e-2f);
  r = std::fma(r, s, u);
  r = std::fma(r, t, -1.06777877e-1f);
  r = std::fma(r, t, -6.34846687e-1f);
  r = std::fma(r, t, -1.28717512e-1f);
  r = std::fma(r, t, -t);
  float const beyond = std::copysign(1.0f - exponential(r, 0.0f), x);
  float p = -5.96761703e-4f;
  p = std::fma(p, s, 4.99119423e-3f);
  p = std::fma(p, s, -2.67681349e-2f);
  p = std::fma(p, s, 1.12819925e-1f);
  p = std::fma(p, s, -3.76125336e-1f);
  p = std::fma(p, s, 1.28379166e-1f);
  float const near = std::fma(p, x, x);
  return t > 0.927734375f ? beyond : near;
}

}  // namespace detail

/// d/dx = 2 / sqrt(pi) exp(-x^2).
struct erf {
  static constexpr std::string_view name = "erf";
  static constexpr std::string_view summary = "Error function";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return detail::error_function(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    constexpr double two_over_root_pi = 1.12837916709551257390;
    auto* const b = x[0].builder;
    return two_over_root_pi * b->apply(Function::exp, {-b->apply(Function::square, {x[0]})});
  }
};

}  // namespace lbann::functions
