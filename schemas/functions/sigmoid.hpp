// The logistic function.
#pragma once

#include <array>
#include <cmath>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/exponential.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// d/dx = s (1 - s).
struct sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr std::string_view summary = "1 / (1 + exp(-x))";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    // Beyond these the result is 1, or below about the smallest normal number: 0.
    constexpr T low = detail::ExponentialOf<T>::lowest_normal;
    T const above = x < low ? low : x;
    T const inside = above > -low ? -low : above;
    T const result = T(1) / (T(1) + detail::exponential_inside(-inside));
    return x < low ? T(0) : result;
  }
  static Term derivative(std::array<Term, 1> const&, Term result, std::size_t) {
    return result * (1.0 - result);
  }
};

}  // namespace lbann::functions
