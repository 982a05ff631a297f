// A smooth rectifier.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/exponential.hpp"
#include "schemas/functions/function.hpp"
#include "schemas/functions/log1p.hpp"

namespace lbann::functions {

/// d/dx = sigmoid(x).
struct softplus {
  static constexpr std::string_view name = "softplus";
  static constexpr std::string_view summary = "log(1 + exp(x))";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    // The exponential of a number below 0, so that nothing overflows.
    T const rest = log1p::value(detail::exponential(-std::fabs(x), T(0)));
    return (x > T(0) ? x : T(0)) + rest;
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->apply(Function::sigmoid, {x[0]});
  }
};

}  // namespace lbann::functions
