// The bits of f16: IEEE 754's binary16, a sign, 5 bits of exponent, 10 of mantissa.
#pragma once

#include <bit>
#include <cstdint>

#include "schemas/functions/function.hpp"

namespace lbann {

/// The bits of the nearest f16, halves to even: from 65520 on infinity, below 2^-14 multiples of
/// 2^-24; NaN stays NaN. Without branches, so that loops of it become vector instructions.
LBANN_FUNCTION std::uint16_t float16_bits(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  auto const size = bits & 0x7fffffffu;
  // The sum with 1/2 is rounded to multiples of 2^-24.
  auto const small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) - 0x3f000000u;
  auto const normal = (size - 0x38000000u + 0xfffu + ((size >> 13) & 1u)) >> 13;
  auto const finite = size < 0x38800000u ? small : normal;
  auto const special = size > 0x7f800000u ? 0x7e00u : 0x7c00u;
  return static_cast<std::uint16_t>((size < 0x477ff000u ? finite : special) |
                                    (bits >> 16 & 0x8000u));
}

/// What the bits stand for.
LBANN_FUNCTION float float16_value(std::uint16_t bits) {
  std::uint32_t const size = bits & 0x7fffu;
  auto const small =
      std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(size)) * 0x1p-24f);
  // The exponent's bias is 15 here, 127 there; that of infinity and NaN is 31 here, 255 there.
  auto const normal = (size << 13) + (size < 0x7c00u ? 0x38000000u : 0x70000000u);
  return std::bit_cast<float>((size < 0x400u ? small : normal) |
                              static_cast<std::uint32_t>(bits & 0x8000u) << 16);
}

}  // namespace lbann
