// Difference of two numbers.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = 1, d/dy = -1.
struct subtract {
  static constexpr std::string_view name = "subtract";
  static constexpr std::string_view summary = "x - y";

  template <class T>
  LBANN_FUNCTION static T value(T x, T y) {
    return x - y;
  }
  static Term derivative(std::array<Term, 2> const& x, Term, std::size_t index) {
    return x[0].builder->constant(index == 0 ? 1 : -1);
  }
};

}  // namespace lbann::functions
