// The remainder of a division.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// As C's fmod: of the sign of x, exact. d/dx = 1, d/dy = -trunc(x / y), which is (result - x) / y
/// but for rounding.
struct mod {
  static constexpr std::string_view name = "mod";
  static constexpr std::string_view summary = "Remainder of x / y, of the sign of x";

  template <class T>
  LBANN_FUNCTION static T value(T x, T y) {
    return std::fmod(x, y);
  }
  static Term derivative(std::array<Term, 2> const& x, Term result, std::size_t index) {
    auto* const b = x[0].builder;
    if (index == 0) return b->constant(1);
    return b->apply(Function::round, {(result - x[0]) / x[1]});
  }
};

}  // namespace lbann::functions
