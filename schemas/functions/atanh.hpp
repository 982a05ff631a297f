// The inverse of the hyperbolic tangent.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// NaN beyond [-1, 1]. d/dx = 1 / ((1 - x) (1 + x)).
struct atanh {
  static constexpr std::string_view name = "atanh";
  static constexpr std::string_view summary = "Inverse hyperbolic tangent";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::atanh(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return 1.0 / ((1.0 - x[0]) * (1.0 + x[0]));
  }
};

}  // namespace lbann::functions
