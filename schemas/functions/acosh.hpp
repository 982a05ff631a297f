// The inverse of the hyperbolic cosine.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// NaN below 1. d/dx = 1 / (sqrt(x - 1) sqrt(x + 1)); LBANN has its sign wrong.
struct acosh {
  static constexpr std::string_view name = "acosh";
  static constexpr std::string_view summary = "Inverse hyperbolic cosine";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::acosh(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    auto* const b = x[0].builder;
    return 1.0 / (b->apply(Function::sqrt, {x[0] - 1.0}) * b->apply(Function::sqrt, {x[0] + 1.0}));
  }
};

}  // namespace lbann::functions
