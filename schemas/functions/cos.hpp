// The cosine.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = -sin(x).
struct cos {
  static constexpr std::string_view name = "cos";
  static constexpr std::string_view summary = "Cosine";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::cos(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return -x[0].builder->apply(Function::sin, {x[0]});
  }
};

}  // namespace lbann::functions
