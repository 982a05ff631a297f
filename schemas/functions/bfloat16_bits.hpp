// The bits of bf16: the upper half of an f32.
#pragma once

#include <bit>
#include <cstdint>

#include "schemas/functions/function.hpp"

namespace lbann {

/// The bits of `value` as an f32 whose lower half is zero: the nearest bf16, halves to even; beyond
/// the largest infinity; NaN stays NaN.
LBANN_FUNCTION std::uint32_t bfloat16_rounded_bits(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  auto const nearest = bits + 0x7fffu + ((bits >> 16) & 1u);
  bool const is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return (is_nan ? bits | 0x400000u : nearest) & 0xffff0000u;
}

/// The nearest bf16, as bits.
LBANN_FUNCTION std::uint16_t bfloat16_bits(float value) {
  return static_cast<std::uint16_t>(bfloat16_rounded_bits(value) >> 16);
}

/// What the bits stand for.
LBANN_FUNCTION float bfloat16_value(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace lbann
