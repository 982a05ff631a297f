// The larger of two numbers.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// NaN if either is. The gradient of equals goes to both by halves.
struct maximum {
  static constexpr std::string_view name = "maximum";
  static constexpr std::string_view summary = "Larger of x and y";

  template <class T>
  LBANN_FUNCTION static T value(T x, T y) {
    // The comparison gives y when either is NaN, which is right unless only x is.
    T const larger = x > y ? x : y;
    return x != x ? x : larger;
  }
  static Term derivative(std::array<Term, 2> const& x, Term, std::size_t index) {
    auto* const b = x[0].builder;
    auto const mine = x[index], other = x[1 - index];
    return b->apply(Function::less, {other, mine}) + 0.5 * b->apply(Function::equal, {x[0], x[1]});
  }
};

}  // namespace lbann::functions
