// A number rounded as an f16 tensor holds it.
#pragma once

#include <array>

#include "schemas/functions/float16_bits.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// Stands where an f16 tensor is not stored, since maps joined, so that the numbers stay the same.
struct float16 {
  static constexpr std::string_view name = "float16";
  static constexpr std::string_view summary = "x rounded to f16: 11 bits, halves to even";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return static_cast<T>(float16_value(float16_bits(static_cast<float>(x))));
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->constant(1);
  }
};

}  // namespace lbann::functions
