// What AOT kernels compute with where a register of numbers is computed at a time: the bits are
// those of the scalar functions.
#pragma once

#include <type_traits>

#include "kernels/host/vector.hpp"
#include "schemas/functions/all.hpp"

namespace lbann::kernels::host {

struct Register {
  Vector<float> value;
};

/// All bits set in lanes where a condition holds.
struct RegisterMask {
  Lanes<float> value;
};

template <class F, class... Rest>
inline auto call(Register first, Rest... rest) {
  if constexpr (std::is_same_v<F, functions::less_equal>)
    return RegisterMask{(first.value <= ... <= rest.value)};
  else if constexpr (std::is_same_v<F, functions::bfloat16>)
    return Register{rounded_to_bfloat16(first.value)};
  else
    return Register{F::value(first.value, rest.value...)};
}

template <class F>
inline Register call(RegisterMask taken, Register x, Register y) {
  static_assert(std::is_same_v<F, functions::select>);
  return {taken.value ? x.value : y.value};
}

}  // namespace lbann::kernels::host
