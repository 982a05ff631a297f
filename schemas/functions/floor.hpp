// The whole number below.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// Its gradient is 0.
struct floor {
  static constexpr std::string_view name = "floor";
  static constexpr std::string_view summary = "Largest whole number not above x";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return std::floor(x);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->constant(0);
  }
};

}  // namespace lbann::functions
