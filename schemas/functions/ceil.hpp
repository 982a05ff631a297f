// The whole number above.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// Its gradient is 0.
struct ceil {
  static constexpr std::string_view name = "ceil";
  static constexpr std::string_view summary = "Smallest whole number not below x";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::ceil(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->constant(0);
  }
};

}  // namespace lbann::functions
