// A sigmoid that approaches its limits slowly.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = 1 / (1 + |x|)^2.
struct softsign {
  static constexpr std::string_view name = "softsign";
  static constexpr std::string_view summary = "x / (1 + |x|)";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return x / (T(1) + std::fabs(x));
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    auto* const b = x[0].builder;
    return b->apply(Function::square, {1.0 / (1.0 + b->apply(Function::abs, {x[0]}))});
  }
};

}  // namespace lbann::functions
