// The square of a number.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = 2 x.
struct square {
  static constexpr std::string_view name = "square";
  static constexpr std::string_view summary = "x * x";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return x * x;
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) { return 2.0 * x[0]; }
};

}  // namespace lbann::functions
