// The natural logarithm.
#pragma once

#include <array>
#include <cmath>

#include "schemas/functions/function.hpp"
#include "schemas/functions/list.hpp"
#include "schemas/functions/logarithm.hpp"

namespace lbann::functions {

/// d/dx = 1 / x.
struct log {
  static constexpr std::string_view name = "log";
  static constexpr std::string_view summary = "Natural logarithm";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    auto const [exponent, mantissa] = detail::split(x);
    T const f = mantissa - T(1);
    T const s = f / (T(2) + f);
    T const half_square = T(0.5) * f * f;
    T const tail = s * (half_square + detail::logarithm_tail(s * s));
    using Of = detail::ExponentialOf<T>;
    T const low = std::fma(exponent, Of::ln2_low, tail);
    T const inside = std::fma(exponent, Of::ln2_high, -((half_square - low) - f));
    return detail::logarithm_at_edges(x, inside);
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) { return 1.0 / x[0]; }
};

}  // namespace lbann::functions
