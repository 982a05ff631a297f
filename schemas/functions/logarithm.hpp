// The natural logarithm without branches, tables or library calls, and to twice the precision for
// pow.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "schemas/functions/exponential.hpp"

namespace lbann::functions::detail {

/// x = 2^exponent * mantissa, mantissa in [sqrt(1/2), sqrt(2)).
template <class T>
struct Split {
  T exponent, mantissa;
};

/// Of a finite x > 0.
template <class T>
LBANN_FUNCTION Split<T> split(T x) {
  using Of = ExponentialOf<T>;
  using Bits = typename Of::Bits;
  constexpr bool wide = sizeof(T) == 8;
  constexpr Bits root = wide ? static_cast<Bits>(0x3FE6A09E667F3BCDu) : Bits{0x3F3504F3u};
  constexpr Bits one = Of::bias << Of::mantissa;
  // The exponent, in the low bits of a number of which `shift` is taken off: no conversion.
  constexpr T shift = wide ? T(0x1p52) : T(0x1p23);
  constexpr T up = wide ? T(0x1p54) : T(0x1p25);
  bool const small = x < std::numeric_limits<T>::min();
  T const normal = small ? x * up : x;
  Bits const bits = std::bit_cast<Bits>(normal) + (one - root);
  T const exponent =
      std::bit_cast<T>(static_cast<Bits>((bits >> Of::mantissa) | std::bit_cast<Bits>(shift))) -
      (shift + static_cast<T>(Of::bias));
  Bits const mantissa = (bits & ((Bits{1} << Of::mantissa) - 1)) + root;
  return {small ? exponent - static_cast<T>(wide ? 54 : 25) : exponent, std::bit_cast<T>(mantissa)};
}

/// log((1 + s) / (1 - s)) = 2 s + s R(s^2); coefficients of fdlibm's e_log.c and FreeBSD's
/// e_logf.c.
LBANN_FUNCTION double logarithm_tail(double z) {
  double p = 1.479819860511658591e-01;
  p = std::fma(p, z, 1.531383769920937332e-01);
  p = std::fma(p, z, 1.818357216161805012e-01);
  p = std::fma(p, z, 2.222219843214978396e-01);
  p = std::fma(p, z, 2.857142874366239149e-01);
  p = std::fma(p, z, 3.999999999940941908e-01);
  return z * std::fma(p, z, 6.666666666666735130e-01);
}
LBANN_FUNCTION float logarithm_tail(float z) {
  float p = 0.24279078841f;
  p = std::fma(p, z, 0.28498786688f);
  p = std::fma(p, z, 0.40000972152f);
  return z * std::fma(p, z, 0.66666662693f);
}

/// exponent log(2) + log(1 + f) + low, 1 + f in [sqrt(1/2), sqrt(2)), of a `low` far below f or -0.
template <class T>
LBANN_FUNCTION T logarithm_of(T exponent, T f, T low) {
  using Of = ExponentialOf<T>;
  T const s = f / (T(2) + f);
  T const half_square = T(0.5) * f * f;
  T const tail = s * (half_square + logarithm_tail(s * s));
  T const rest = std::fma(exponent, Of::ln2_low, tail) + low;
  return std::fma(exponent, Of::ln2_high, -((half_square - rest) - f));
}

/// `inside` where x is positive and finite, else what C's log gives.
template <class T>
LBANN_FUNCTION T logarithm_at_edges(T x, T inside) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  T const below = x < T(0) ? std::numeric_limits<T>::quiet_NaN() : inside;
  T const zero = x == T(0) ? -infinity : below;
  return x < infinity ? zero : x;
}

/// log(x) = high + low, to about 2^-66 of it, of a positive finite x.
struct LongLogarithm {
  double high, low;
};

LBANN_FUNCTION LongLogarithm long_logarithm(double x) {
  using Of = ExponentialOf<double>;
  auto const [k, m] = split(x);
  // s = (m - 1) / (m + 1) in two parts.
  double const f = m - 1, d = m + 1, d_low = m - (d - 1);
  double const s = f / d;
  double const s_low = (std::fma(-s, d, f) - s * d_low) / d;
  double const z = s * s;
  // 2 (s^5 / 5 + s^7 / 7 + ...): Taylor's series, s^2 <= 0.0295.
  double p = 2.0 / 29;
  p = std::fma(p, z, 2.0 / 27);
  p = std::fma(p, z, 2.0 / 25);
  p = std::fma(p, z, 2.0 / 23);
  p = std::fma(p, z, 2.0 / 21);
  p = std::fma(p, z, 2.0 / 19);
  p = std::fma(p, z, 2.0 / 17);
  p = std::fma(p, z, 2.0 / 15);
  p = std::fma(p, z, 2.0 / 13);
  p = std::fma(p, z, 2.0 / 11);
  p = std::fma(p, z, 2.0 / 9);
  p = std::fma(p, z, 2.0 / 7);
  p = std::fma(p, z, 2.0 / 5);
  double const fifth = p * z * z * s;
  // 2 s^3 / 3 in two parts.
  double const z_low = std::fma(s, s, -z) + 2 * s * s_low;
  double const cube = z * s;
  double const cube_low = std::fma(z, s, -cube) + (z * s_low + z_low * s);
  constexpr double third = 2.0 / 3, third_low = 3.70074341541718826e-17;
  double const c = third * cube;
  double const c_low = std::fma(third, cube, -c) + (third * cube_low + third_low * cube);
  // k ln 2 + 2 s + c: the larger summand first, so that what each sum loses is exact.
  double const a = k * Of::ln2_high, b = 2 * s;
  double const sum = a + b;
  double const t = sum - a;
  double const lost = (a - (sum - t)) + (b - t);
  double const high = sum + c;
  double const u = high - sum;
  double const lost_too = (sum - (high - u)) + (c - u);
  double const low = lost + lost_too + (2 * s_low + k * Of::ln2_low) + (c_low + fifth);
  double const total = high + low;
  return {total, low - (total - high)};
}

}  // namespace lbann::functions::detail
