// Whether a number is below another.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// 1 or 0; no gradient.
struct less {
  static constexpr std::string_view name = "less";
  static constexpr std::string_view summary = "1 if x < y, else 0";

  template <class T>
  LBANN_FUNCTION static T value(T x, T y) {
    return x < y ? T(1) : T(0);
  }
  static Term derivative(std::array<Term, 2> const& x, Term, std::size_t) {
    return x[0].builder->constant(0);
  }
};

}  // namespace lbann::functions
