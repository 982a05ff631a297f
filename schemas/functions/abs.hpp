// The magnitude of a number.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = sign(x), 0 at 0.
struct abs {
  static constexpr std::string_view name = "abs";
  static constexpr std::string_view summary = "|x|";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::fabs(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->apply(Function::sign, {x[0]});
  }
};

}  // namespace lbann::functions
