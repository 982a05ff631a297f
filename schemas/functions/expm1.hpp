// The exponential function less one.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/exponential.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = exp(x).
struct expm1 {
  static constexpr std::string_view name = "expm1";
  static constexpr std::string_view summary = "exp(x) - 1, exact near 0";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    // Beyond 40 on either side it is exp(x) or -1 in both types.
    T const above = x < T(-40) ? T(-40) : x;
    T const small = detail::exponential_less_one(above > T(40) ? T(40) : above);
    T const inside = x > T(40) ? detail::exponential(x, T(0)) : small;
    return x == T(0) ? x : inside;
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->apply(Function::exp, {x[0]});
  }
};

}  // namespace lbann::functions
