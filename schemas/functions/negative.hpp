// A number with the opposite sign.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = -1.
struct negative {
  static constexpr std::string_view name = "negative";
  static constexpr std::string_view summary = "-x";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return -x;
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->constant(-1);
  }
};

}  // namespace lbann::functions
