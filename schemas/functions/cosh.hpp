// The hyperbolic cosine.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = sinh(x).
struct cosh {
  static constexpr std::string_view name = "cosh";
  static constexpr std::string_view summary = "Hyperbolic cosine";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::cosh(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->apply(Function::sinh, {x[0]});
  }
};

}  // namespace lbann::functions
