// A number that counts as a constant.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// Its gradient is taken to be 0: nothing before it learns through it.
struct stop_gradient {
  static constexpr std::string_view name = "stop_gradient";
  static constexpr std::string_view summary = "x, through which no gradient passes";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return x;
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->constant(0);
  }
};

}  // namespace lbann::functions
