// Quotients and remainders of indices. Most fit 32 bits, which a GPU divides several times as fast
// as 64.
#pragma once

#include <cstdint>

#include "schemas/functions/function.hpp"

namespace lbann::kernels {

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

}  // namespace lbann::kernels
