// The inverse of the hyperbolic sine.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = 1 / sqrt(1 + x^2).
struct asinh {
  static constexpr std::string_view name = "asinh";
  static constexpr std::string_view summary = "Inverse hyperbolic sine";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::asinh(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    auto* const b = x[0].builder;
    return 1.0 / b->apply(Function::sqrt, {1.0 + b->apply(Function::square, {x[0]})});
  }
};

}  // namespace lbann::functions
