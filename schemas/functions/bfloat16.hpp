// A number rounded as a bf16 tensor holds it.
#pragma once

#include <array>

#include "schemas/functions/bfloat16_bits.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// Stands where a bf16 tensor is not stored, since maps joined, so that the numbers stay the same.
struct bfloat16 {
  static constexpr std::string_view name = "bfloat16";
  static constexpr std::string_view summary = "x rounded to bf16: 8 bits, halves to even";

  template <class T>
  LBANN_FUNCTION static T value(T x) {
    return static_cast<T>(std::bit_cast<float>(bfloat16_rounded_bits(static_cast<float>(x))));
  }
  static Term derivative(std::array<Term, 1> const& x, Term, std::size_t) {
    return x[0].builder->constant(1);
  }
};

}  // namespace lbann::functions
