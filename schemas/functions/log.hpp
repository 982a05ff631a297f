// The natural logarithm.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"
#include "schemas/functions/logarithm.hpp"

namespace lbann::functions {

/// d/dx = 1 / x.
struct log {
  static constexpr std::string_view name = "log";
  static constexpr std::string_view summary = "Natural logarithm";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    auto const [exponent, mantissa] = detail::split(x);
    T const inside = detail::logarithm_of(exponent, mantissa - T(1), T(-0.0));
    return detail::logarithm_at_edges(x, inside);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) { return 1.0 / x[0]; }
};

}  // namespace lbann::functions
