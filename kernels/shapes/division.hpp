// Quotients and remainders of indices. Most fit 32 bits, which a GPU divides several times as fast
// as 64.
#pragma once

#include <cstdint>

#include "schemas/functions/function.hpp"

namespace lbann::kernels {

/// Of a >= 0 by b > 0, rounded up.
constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
/// The smallest multiple of b > 0 that is not less than a >= 0.
constexpr std::int64_t round_up(std::int64_t a, std::int64_t b) { return ceil_divide(a, b) * b; }

struct Division {
  std::int64_t quotient, remainder;
};

/// Of a >= 0 by b > 0.
LBANN_FUNCTION Division divide(std::int64_t a, std::int64_t b) {
  if ((a | b) >> 32 == 0) {
    auto const dividend = static_cast<std::uint32_t>(a), divisor = static_cast<std::uint32_t>(b);
    auto const quotient = dividend / divisor;
    return {quotient, dividend - quotient * divisor};
  }
  auto const quotient = a / b;
  return {quotient, a - quotient * b};
}

/// What indices are divided by again and again: the quotient is the high half of a product
/// (Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994).
struct Divisor {
  std::uint32_t number = 1, multiplier = 1, shift = 0;

  /// 0 < number < 2^31.
  static constexpr Divisor of(std::int64_t number) {
    Divisor divisor;
    divisor.number = static_cast<std::uint32_t>(number);
    while ((std::uint64_t{1} << divisor.shift) < static_cast<std::uint64_t>(number))
      ++divisor.shift;
    auto const above = (std::uint64_t{1} << divisor.shift) - static_cast<std::uint64_t>(number);
    divisor.multiplier = static_cast<std::uint32_t>((above << 32) / divisor.number + 1);
    return divisor;
  }
};

struct ShortDivision {
  std::uint32_t quotient, remainder;
};

/// Of a < 2^31.
LBANN_FUNCTION ShortDivision divide(std::uint32_t a, Divisor const& by) {
  auto const high = static_cast<std::uint32_t>((std::uint64_t{a} * by.multiplier) >> 32);
  auto const quotient = (high + a) >> by.shift;
  return {quotient, a - quotient * by.number};
}

}  // namespace lbann::kernels
