// Conversion between the types of elements, the same in all kernels.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "schemas/functions/function.hpp"
#include "schemas/vocabulary/data_type.hpp"

namespace lbann::kernels {

/// Whether kernels can load and store the type.
constexpr bool is_loadable(DataType type) {
  return type != DataType::bf16 && type != DataType::f16;
}

/// `value` as `To`: floating to whole numbers towards zero, beyond the range to its end, NaN to 0.
template <class To, class From>
LBANN_FUNCTION To convert(From value) {
  if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
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

/// Calls `f` with a value-initialised element of `type`, which must be loadable.
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

}  // namespace lbann::kernels
