// The natural logarithm of one more.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"
#include "schemas/functions/logarithm.hpp"

namespace lbann::functions {

/// d/dx = 1 / (1 + x).
struct log1p {
  static constexpr std::string_view name = "log1p";
  static constexpr std::string_view summary = "Logarithm of 1 + x, exact near 0";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    T const u = T(1) + x;
    // What rounding took from u, and the logarithm of u + lost = u (1 + lost / u).
    T const lost = std::fabs(x) < T(1) ? x - (u - T(1)) : T(1) - (u - x);
    auto const [exponent, mantissa] = detail::split(u);
    bool const near = exponent == T(0);
    T const f = near ? x : mantissa - T(1);
    T const low = near ? T(-0.0) : lost / u;
    T const inside = detail::logarithm_of(exponent, f, low);
    return x == T(0) ? x : detail::logarithm_at_edges(u, inside);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return 1.0 / (1.0 + x[0]);
  }
};

}  // namespace lbann::functions
