// What the headers of scalar functions take of the standard library, for NVRTC, which has none. It
// stands for each of its headers.
// Included by several names, each of which is a file to `#pragma once`.
#ifndef LBANN_NVRTC_STANDARD_LIBRARY
#define LBANN_NVRTC_STANDARD_LIBRARY

namespace std {

using size_t = decltype(sizeof 0);
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned;
using uint64_t = unsigned long long;
using ptrdiff_t = long long;

template <class T, size_t n>
struct array {
  T elements[n];
  constexpr T const& operator[](size_t i) const { return elements[i]; }
};

template <class T, size_t n = 0>
class span;
template <class T>
class optional;

template <class T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}

struct string_view {
  constexpr string_view(char const*) {}
};

template <class To, class From>
To bit_cast(From const& from) {
  return __builtin_bit_cast(To, from);
}

template <class T>
inline constexpr bool is_floating_point_v = false;
template <>
inline constexpr bool is_floating_point_v<float> = true;
template <>
inline constexpr bool is_floating_point_v<double> = true;
template <class T>
inline constexpr bool is_integral_v = !is_floating_point_v<T>;
template <class T, class U>
inline constexpr bool is_same_v = false;
template <class T>
inline constexpr bool is_same_v<T, T> = true;

template <class T>
struct numeric_limits {
  static constexpr bool is_signed = T(-1) < T(0);
  static constexpr T max() { return static_cast<T>(~T(0) ^ min()); }
  static constexpr T min() {
    return is_signed ? static_cast<T>(T(1) << (8 * sizeof(T) - 1)) : T(0);
  }
};
template <>
struct numeric_limits<float> {
  static constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000u); }
  static constexpr float quiet_NaN() { return __builtin_bit_cast(float, 0x7fc00000u); }
  static constexpr float max() { return 3.40282346638528859812e+38f; }
  static constexpr float lowest() { return -max(); }
  static constexpr float min() { return 1.17549435082228750797e-38f; }
};
template <>
struct numeric_limits<double> {
  static constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000ull); }
  static constexpr double quiet_NaN() { return __builtin_bit_cast(double, 0x7ff8000000000000ull); }
  static constexpr double max() { return 1.79769313486231570815e+308; }
  static constexpr double lowest() { return -max(); }
  static constexpr double min() { return 2.22507385850720138309e-308; }
};

#define LBANN_OF_ONE(NAME)                            \
  inline float NAME(float x) { return ::NAME##f(x); } \
  inline double NAME(double x) { return ::NAME(x); }
LBANN_OF_ONE(acos)
LBANN_OF_ONE(acosh)
LBANN_OF_ONE(asin)
LBANN_OF_ONE(asinh)
LBANN_OF_ONE(atan)
LBANN_OF_ONE(atanh)
LBANN_OF_ONE(ceil)
LBANN_OF_ONE(cos)
LBANN_OF_ONE(cosh)
LBANN_OF_ONE(erf)
LBANN_OF_ONE(erfc)
LBANN_OF_ONE(exp)
LBANN_OF_ONE(fabs)
LBANN_OF_ONE(floor)
LBANN_OF_ONE(log1p)
LBANN_OF_ONE(sin)
LBANN_OF_ONE(sinh)
LBANN_OF_ONE(sqrt)
LBANN_OF_ONE(tan)
LBANN_OF_ONE(trunc)
#undef LBANN_OF_ONE
inline float copysign(float x, float y) { return ::copysignf(x, y); }
inline double copysign(double x, double y) { return ::copysign(x, y); }
inline float fmod(float x, float y) { return ::fmodf(x, y); }
inline double fmod(double x, double y) { return ::fmod(x, y); }
inline float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
inline double fma(double x, double y, double z) { return ::fma(x, y, z); }

}  // namespace std

#endif
