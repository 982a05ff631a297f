// The sine.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = cos(x).
struct sin {
  static constexpr std::string_view name = "sin";
  static constexpr std::string_view summary = "Sine";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::sin(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->apply(Function::cos, {x[0]});
  }
};

}  // namespace lbann::functions
