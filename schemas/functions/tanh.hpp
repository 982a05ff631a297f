// The hyperbolic tangent.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/exponential.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = 1 - tanh(x)^2.
struct tanh {
  static constexpr std::string_view name = "tanh";
  static constexpr std::string_view summary = "Hyperbolic tangent";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    // Beyond 22 it is 1 in either type; NaN stays.
    T const magnitude = std::fabs(x);
    T const inside = magnitude > T(22) ? T(22) : magnitude;
    T const e = detail::exponential_less_one(T(2) * inside);
    return std::copysign(detail::quotient(e, e, T(2)), x);
  }
  static Term derivative(std::array<Term, 1> const&, Term result, std::size_t) {
    return 1.0 - result.builder->apply(Function::square, {result});
  }
};

}  // namespace lbann::functions
