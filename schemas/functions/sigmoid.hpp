// The logistic function.
#pragma once

#include <array>
#include <cmath>

#include "schemas/functions/exponential.hpp"
#include "schemas/functions/function.hpp"
#include "schemas/functions/list.hpp"

namespace lbann::functions {

/// d/dx = s (1 - s).
struct sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr std::string_view summary = "1 / (1 + exp(-x))";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    // The exponential of a number below 0, so that nothing overflows.
    T const e = detail::exponential(-std::fabs(x), T(0));
    T const numerator = x < T(0) ? e : T(1);
    return detail::quotient(numerator, e, T(1));
  }
  static Term derivative(std::array<Term, 1> const&, Term result, std::size_t) {
    return result * (1.0 - result);
  }
};

}  // namespace lbann::functions
