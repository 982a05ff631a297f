// The reciprocal of a number.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = -1 / x^2; of a gradient of 0 it passes on 0, also where x is 0.
struct reciprocal {
  static constexpr std::string_view name = "reciprocal";
  static constexpr std::string_view summary = "1 / x";
  static constexpr bool zero_gradient_stays = true;

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return T(1) / x;
  }
  static Term derivative(std::array<Term, 1> const&, Term result, std::size_t) {
    return -result.builder->apply(Function::square, {result});
  }
};

}  // namespace lbann::functions
