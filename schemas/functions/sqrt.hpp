// The square root of a number.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = 0.5 / sqrt(x).
struct sqrt {
  static constexpr std::string_view name = "sqrt";
  static constexpr std::string_view summary = "Square root";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::sqrt(x);
  }
  static Term derivative(std::array<Term, 1> const&, Term result, std::size_t) {
    return 0.5 / result;
  }
};

}  // namespace lbann::functions
