// The exponential function without branches, tables or library calls, and what tanh and pow take
// from it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "schemas/functions/function.hpp"

namespace lbann::functions::detail {

/// What differs between the types. ln2_high has trailing zeros, so that its product with any
/// exponent is exact. Adding `magic` rounds to a whole number and leaves it in the low bits.
template <class T>
struct ExponentialOf;

template <>
struct ExponentialOf<float> {
  using Bits = std::uint32_t;
  static constexpr float ln2_high = 0.693145751953125f, ln2_low = 1.428606765330187045e-06f;
  static constexpr float magic = 12582912.0f;
  static constexpr float lowest = -104, lowest_normal = -87, highest = 89;
  static constexpr Bits bias = 127;
  static constexpr int mantissa = 23;
  /// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2; coefficients of SLEEF's expf_u10.
  LBANN_FUNCTION static float tail(float r) {
    float p = 0.000198527617612853646278381f;
    p = std::fma(p, r, 0.00139304355252534151077271f);
    p = std::fma(p, r, 0.00833336077630519866943359f);
    p = std::fma(p, r, 0.0416664853692054748535156f);
    p = std::fma(p, r, 0.166666671633720397949219f);
    return std::fma(p, r, 0.5f);
  }
};

template <>
struct ExponentialOf<double> {
  using Bits = std::uint64_t;
  static constexpr double ln2_high = 6.93147180369123816490e-01,
                          ln2_low = 1.90821492927058770002e-10;
  static constexpr double magic = 6755399441055744.0;
  static constexpr double lowest = -746, lowest_normal = -708, highest = 710;
  static constexpr Bits bias = 1023;
  static constexpr int mantissa = 52;
  /// The same to 2^-57: the Taylor series up to r^11 with its last coefficients fitted; those of
  /// SLEEF's exp_u10.
  LBANN_FUNCTION static double tail(double r) {
    double p = 0.2081276378237164457e-8;
    p = std::fma(p, r, 0.2511210703042288022e-7);
    p = std::fma(p, r, 0.2755762628169491192e-6);
    p = std::fma(p, r, 0.2755723402025388239e-5);
    p = std::fma(p, r, 0.2480158687479686264e-4);
    p = std::fma(p, r, 0.1984126989855865850e-3);
    p = std::fma(p, r, 0.1388888888914497797e-2);
    p = std::fma(p, r, 0.8333333333314938210e-2);
    p = std::fma(p, r, 0.4166666666666602598e-1);
    p = std::fma(p, r, 0.1666666666666669072e+0);
    return std::fma(p, r, 0.5);
  }
};

/// 2^n of a whole number that came out of adding `magic`, for n of a normal number.
template <class T>
LBANN_FUNCTION T power_of_two(T with_magic) {
  using Of = ExponentialOf<T>;
  auto const bits = std::bit_cast<typename Of::Bits>(with_magic);
  return std::bit_cast<T>(static_cast<typename Of::Bits>((bits + Of::bias) << Of::mantissa));
}

/// exp(x + low) for a `low` far below x; 0 and infinity where x is beyond the range, NaN for NaN.
template <class T>
LBANN_FUNCTION T exponential(T x, T low) {
  using Of = ExponentialOf<T>;
  constexpr T log2_e = T(1.44269504088896340736);
  // What ends as zero goes another way: processors are slow to round towards it.
  bool const vanishes = x < Of::lowest;
  T const above = vanishes ? T(0) : x;
  T const inside = above > Of::highest ? Of::highest : above;
  T const n = std::fma(inside, log2_e, Of::magic) - Of::magic;
  T r = std::fma(-n, Of::ln2_high, inside);
  r = std::fma(-n, Of::ln2_low, r) + low;
  T const y = std::fma(r * r, Of::tail(r), r) + T(1);
  // In two factors, so that each is a normal number.
  T const half = std::fma(n, T(0.5), Of::magic);
  T const rest = (n - (half - Of::magic)) + Of::magic;
  T const power = y * power_of_two(half) * power_of_two(rest);
  return vanishes ? T(0) : power;
}

/// exp(x) from `lowest_normal` to -`lowest_normal`: half the work.
template <class T>
LBANN_FUNCTION T exponential_inside(T x) {
  using Of = ExponentialOf<T>;
  constexpr T log2_e = T(1.44269504088896340736);
  T const with_magic = std::fma(x, log2_e, Of::magic);
  T const n = with_magic - Of::magic;
  T r = std::fma(-n, Of::ln2_high, x);
  r = std::fma(-n, Of::ln2_low, r);
  return (std::fma(r * r, Of::tail(r), r) + T(1)) * power_of_two(with_magic);
}

/// exp(x) for x up to 0, as after the largest has been subtracted; results below about the smallest
/// normal number are 0.
template <class T>
LBANN_FUNCTION T exponential_up_to_one(T x) {
  bool const vanishes = x < ExponentialOf<T>::lowest_normal;
  T const power = exponential_inside(vanishes ? T(0) : x);
  return vanishes ? T(0) : power;
}

/// exp(x) - 1 for -44 <= x <= 44, exact near 0 (of which the sign may be lost).
template <class T>
LBANN_FUNCTION T exponential_less_one(T x) {
  using Of = ExponentialOf<T>;
  constexpr T log2_e = T(1.44269504088896340736);
  T const with_magic = std::fma(x, log2_e, Of::magic);
  T const n = with_magic - Of::magic;
  T r = std::fma(-n, Of::ln2_high, x);
  r = std::fma(-n, Of::ln2_low, r);
  T const y = std::fma(r * r, Of::tail(r), r);
  T const scale = power_of_two(with_magic);
  return std::fma(scale, y, scale - T(1));
}

/// numerator / (e + addend) of numbers that are not negative, rounded about once: what the sum and
/// the product with the reciprocal lose is put back.
template <class T>
LBANN_FUNCTION T quotient(T numerator, T e, T addend) {
  T const divisor = e + addend;
  // The smaller summand less what of it went into the sum.
  T const large = e > addend ? e : addend, little = e > addend ? addend : e;
  T const lost = little - (divisor - large);
  T const reciprocal = T(1) / divisor;
  T const q = numerator * reciprocal;
  T const rest = std::fma(-q, divisor, numerator) - q * lost;
  return std::fma(rest, reciprocal, q);
}

}  // namespace lbann::functions::detail
