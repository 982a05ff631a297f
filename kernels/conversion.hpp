// Conversion between the types of elements, the same in all kernels.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "schemas/functions/bfloat16_bits.hpp"
#include "schemas/functions/float16_bits.hpp"
#include "schemas/functions/function.hpp"
#include "schemas/vocabulary/data_type.hpp"

namespace lbann::kernels {

/// An element of a bf16 tensor: stored only, converted to a wider type where it is computed with.
struct BFloat16 {
  std::uint16_t bits;
};

/// The same of an f16 tensor.
struct Float16 {
  std::uint16_t bits;
};

/// What numbers stored as `T` are computed in: see `compute_type_of`.
template <class T>
struct Computed {
  using type = T;
};
template <>
struct Computed<BFloat16> {
  using type = float;
};
template <>
struct Computed<Float16> {
  using type = float;
};
template <class T>
using ComputeType = typename Computed<T>::type;

/// `value` as `To`: floating to whole numbers towards zero, beyond the range to its end, NaN to 0.
template <class To, class From>
LBANN_FUNCTION To convert(From value) {
  if constexpr (std::is_same_v<From, BFloat16>) {
    return convert<To>(bfloat16_value(value.bits));
  } else if constexpr (std::is_same_v<To, BFloat16>) {
    return BFloat16{bfloat16_bits(static_cast<float>(value))};
  } else if constexpr (std::is_same_v<From, Float16>) {
    return convert<To>(float16_value(value.bits));
  } else if constexpr (std::is_same_v<To, Float16>) {
    return Float16{float16_bits(static_cast<float>(value))};
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    // The largest To may not be a From; the power of two after it always is.
    constexpr From end = From(2) * static_cast<From>((std::numeric_limits<To>::max() >> 1) + 1);
    constexpr From low = static_cast<From>(std::numeric_limits<To>::min());
    bool const fits = (value > low) & (value < end);
    To const inside = static_cast<To>(fits ? value : From(0));
    To const high = value >= end ? std::numeric_limits<To>::max() : inside;
    return value <= low ? std::numeric_limits<To>::min() : high;
  } else {
    return static_cast<To>(value);
  }
}

/// Calls `f` with a value-initialised element of `type`, which must be arithmetic.
template <class F>
decltype(auto) with_type(DataType type, F&& f) {
  switch (type) {
    case DataType::f64:
      return f(double{});
    case DataType::i32:
      return f(std::int32_t{});
    case DataType::i64:
      return f(std::int64_t{});
    case DataType::u8:
      return f(std::uint8_t{});
    default:
      return f(float{});
  }
}

/// The same of any type.
template <class F>
decltype(auto) with_stored_type(DataType type, F&& f) {
  if (type == DataType::f16) return f(Float16{});
  return type == DataType::bf16 ? f(BFloat16{}) : with_type(type, f);
}

}  // namespace lbann::kernels
