// The sign of a number.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// 0 for either zero, NaN for NaN; its gradient is 0.
struct sign {
  static constexpr std::string_view name = "sign";
  static constexpr std::string_view summary = "-1, 0 or 1";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    T const below = x < T(0) ? T(-1) : x + T(0);
    return x > T(0) ? T(1) : below;
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->constant(0);
  }
};

}  // namespace lbann::functions
