// Quotient of two numbers.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = 1 / y, d/dy = - (x / y) / y.
struct divide {
  static constexpr std::string_view name = "divide";
  static constexpr std::string_view summary = "x / y";

  template <class T>
  LBANN_FUNCTION static T value(T x, T y) {
    return x / y;
  }
  static Term derivative(std::array<Term, 2> const& x, Term result, std::size_t index) {
    return index == 0 ? 1.0 / x[1] : -(result / x[1]);
  }
};

}  // namespace lbann::functions
