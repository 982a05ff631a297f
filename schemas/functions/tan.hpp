// The tangent.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = 1 + tan(x)^2.
struct tan {
  static constexpr std::string_view name = "tan";
  static constexpr std::string_view summary = "Tangent";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::tan(x);
  }
  static Term derivative(std::array<Term, 1> const&, Term result, std::size_t) {
    return 1.0 + result.builder->apply(Function::square, {result});
  }
};

}  // namespace lbann::functions
