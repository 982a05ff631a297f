// The exponential function.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/exponential.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = exp(x).
struct exp {
  static constexpr std::string_view name = "exp";
  static constexpr std::string_view summary = "e to the power of x";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return detail::exponential(x, T(0));
  }
  static Term derivative(std::array<Term, 1> const&, Term result, std::size_t) { return result; }
};

}  // namespace lbann::functions
