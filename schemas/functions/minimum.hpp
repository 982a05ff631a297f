// The smaller of two numbers.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// NaN if either is. The gradient of equals goes to both by halves.
struct minimum {
  static constexpr std::string_view name = "minimum";
  static constexpr std::string_view summary = "Smaller of x and y";

  template <class T>
  LBANN_FUNCTION static T value(T x, T y) {
    T const smaller = x < y ? x : y;
    return x != x ? x : smaller;
  }
  static Term derivative(std::array<Term, 2> const& x, Term, std::size_t index) {
    auto* const b = x[0].builder;
    auto const mine = x[index], other = x[1 - index];
    return b->apply(Function::less, {mine, other}) + 0.5 * b->apply(Function::equal, {x[0], x[1]});
  }
};

}  // namespace lbann::functions
