// The inverse of the tangent.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = 1 / (1 + x^2).
struct atan {
  static constexpr std::string_view name = "atan";
  static constexpr std::string_view summary = "Inverse tangent";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::atan(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return 1.0 / (1.0 + x[0].builder->apply(Function::square, {x[0]}));
  }
};

}  // namespace lbann::functions
