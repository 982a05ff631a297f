// The nearest whole number.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// Halves go away from 0. Its gradient is 0.
struct round {
  static constexpr std::string_view name = "round";
  static constexpr std::string_view summary = "Nearest whole number, halves away from 0";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    T const whole = std::trunc(x);
    bool const up = std::fabs(x - whole) >= T(0.5);
    return up ? whole + std::copysign(T(1), x) : whole;
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->constant(0);
  }
};

}  // namespace lbann::functions
