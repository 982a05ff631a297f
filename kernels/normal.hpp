// Normally distributed numbers from random words, the same on the host and on devices.
#pragma once

#include <cmath>
#include <cstdint>

#include "schemas/functions/log.hpp"

namespace lbann::kernels {

namespace detail {

/// c[0] + c[1] x + ... + c[7] x^7.
LBANN_FUNCTION double polynomial(double const (&c)[8], double x) {
  double y = c[7];
  for (int i = 6; i >= 0; --i) y = y * x + c[i];
  return y;
}

}  // namespace detail

/// Quantile function of the standard normal distribution, p in (0, 1).
/// Wichura: "Algorithm AS 241: the percentage points of the normal distribution", Applied
/// Statistics 37 (1988), PPND16; relative error about 1e-16.
LBANN_FUNCTION double normal_quantile(double p) {
  constexpr double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                           1.9715909503065514427e+3, 1.3731693765509461125e+4,
                           4.5921953931549871457e+4, 6.7265770927008700853e+4,
                           3.3430575583588128105e+4, 2.5090809287301226727e+3};
  constexpr double b[8] = {1,
                           4.2313330701600911252e+1,
                           6.8718700749205790830e+2,
                           5.3941960214247511077e+3,
                           2.1213794301586595867e+4,
                           3.9307895800092710610e+4,
                           2.8729085735721942674e+4,
                           5.2264952788528545610e+3};
  constexpr double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                           5.76949722146069140550e0,  3.64784832476320460504e0,
                           1.27045825245236838258e0,  2.41780725177450611770e-1,
                           2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double d[8] = {1,
                           2.05319162663775882187e0,
                           1.67638483018380384940e0,
                           6.89767334985100004550e-1,
                           1.48103976427480074590e-1,
                           1.51986665636164571966e-2,
                           5.47593808499534494600e-4,
                           1.05075007164441684324e-9};
  constexpr double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                           1.78482653991729133580e0,  2.96560571828504891230e-1,
                           2.65321895265761230930e-2, 1.24266094738807843860e-3,
                           2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr double f[8] = {1,
                           5.99832206555887937690e-1,
                           1.36929880922735805310e-1,
                           1.48753612908506148525e-2,
                           7.86869131145613259100e-4,
                           1.84631831751005468180e-5,
                           1.42151175831644588870e-7,
                           2.04426310338993978564e-15};
  double const q = p - 0.5;
  if (std::fabs(q) <= 0.425) {
    double const r = 0.180625 - q * q;
    return q * detail::polynomial(a, r) / detail::polynomial(b, r);
  }
  double const r = std::sqrt(-functions::log::value(q < 0 ? p : 1 - p));
  double const tail = r <= 5 ? detail::polynomial(c, r - 1.6) / detail::polynomial(d, r - 1.6)
                             : detail::polynomial(e, r - 5) / detail::polynomial(f, r - 5);
  return q < 0 ? -tail : tail;
}

/// The value at x of the first or of the second of two polynomials of degree 9, highest
/// coefficients first.
LBANN_FUNCTION float either_polynomial(bool first, float x, float const (&a)[10],
                                       float const (&b)[10]) {
  // Selects coefficients instead of results, and has no inner loop, so that a loop of calls
  // vectorises.
  auto const next = [=](float y, float in_a, float in_b) {
    return std::fma(y, x, first ? in_a : in_b);
  };
  float y = first ? +a[0] : +b[0];
  y = next(y, a[1], b[1]);
  y = next(y, a[2], b[2]);
  y = next(y, a[3], b[3]);
  y = next(y, a[4], b[4]);
  y = next(y, a[5], b[5]);
  y = next(y, a[6], b[6]);
  y = next(y, a[7], b[7]);
  y = next(y, a[8], b[8]);
  return next(y, a[9], b[9]);
}

/// A standard normal number from a random word: the quantile of (word + 1/2) / 2^32.
template <class T>
LBANN_FUNCTION T normal_number(std::uint32_t word);

template <>
LBANN_FUNCTION double normal_number<double>(std::uint32_t word) {
  return normal_quantile((word + 0.5) * 0x1p-32);
}

/// In f32, within 3e-7 of the value in f64. With p the smaller tail, as Giles, "Approximating the
/// erfinv function", GPU Computing Gems (2011): the quantile is 1 - 2 p times a polynomial of
/// w = -log(4 p (1 - p)) in the middle, of sqrt(w) in the tails; his end at p = 2^-25. These
/// interpolate at Chebyshev nodes of w in [0, 6] and of sqrt(w) up to p = 2^-33, within 7e-8.
template <>
LBANN_FUNCTION float normal_number<float>(std::uint32_t word) {
  constexpr float middle[10] = {
      -7.751285554e-9f, -5.884826358e-9f, 6.343786219e-7f,  -2.670690887e-6f, -1.797444751e-5f,
      2.764702188e-4f,  -1.182551468e-3f, -8.115623547e-3f, 3.417169968e-1f,  2.296035246e0f};
  constexpr float tails[10] = {1.734289883e-5f,  4.986659517e-5f, -3.136545832e-4f, 5.840986222e-4f,
                               -8.042039948e-4f, 1.329721627e-3f, -2.673478122e-3f, 4.282640930e-3f,
                               1.425013059e0f,   4.777613976e0f};
  // The distance from the middle, 2^-32 apart: exact near 1/2, and its complement near 0 and 1.
  auto const centred = static_cast<std::int32_t>(word ^ 0x80000000u);
  auto const distance = centred < 0 ? ~centred : centred;
  float const x = (static_cast<float>(distance) + 0.5f) * 0x1p-31f;
  float const p = (static_cast<float>(0x7FFFFFFF - distance) + 0.5f) * 0x1p-32f;
  float const w = -functions::log::value(4 * p * (1 - p));
  float const root = std::sqrt(w);
  bool const inside = w < 6;
  float const z =
      x * either_polynomial(inside, inside ? w - 3 : root - 3.542478818f, middle, tails);
  return centred < 0 ? -z : z;
}

}  // namespace lbann::kernels
