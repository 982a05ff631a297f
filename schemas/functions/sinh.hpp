// The hyperbolic sine.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = cosh(x).
struct sinh {
  static constexpr std::string_view name = "sinh";
  static constexpr std::string_view summary = "Hyperbolic sine";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::sinh(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->apply(Function::cosh, {x[0]});
  }
};

}  // namespace lbann::functions
