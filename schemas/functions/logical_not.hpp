// Whether a number is not true.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// 1 or 0. Neither 0 nor NaN counts as true. No gradient.
struct logical_not {
  static constexpr std::string_view name = "logical_not";
  static constexpr std::string_view summary = "1 if x is not true, else 0";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    bool const a = (x < T(0)) | (x > T(0));
    return a ? T(0) : T(1);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->constant(0);
  }
};

}  // namespace lbann::functions
