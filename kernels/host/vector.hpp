// SIMD registers as a type: loads, stores, shuffles and fused multiply-add in whatever vector
// instructions the compiler targets (AVX-512, AVX, else generic vectors).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "schemas/functions/bfloat16_bits.hpp"
#include "schemas/functions/float16_bits.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace lbann::kernels::host {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

namespace detail {

template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(vector_bytes)));
};

}  // namespace detail

template <class T>
using Vector = typename detail::VectorOf<T>::type;

/// A register of integers as wide as T, for comparisons of lane numbers.
template <class T>
using Lanes = Vector<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

/// Elements in a `Vector<T>`.
template <class T>
inline constexpr int lanes = sizeof(Vector<T>) / sizeof(T);

/// Vector registers that register tiles may use.
inline constexpr int vector_registers = vector_bytes == 64 ? 32 : 16;

/// Unaligned load.
template <class T>
inline Vector<T> load_vector(T const* from) {
  Vector<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class T>
inline void store_vector(T* to, Vector<T> v) {
  std::memcpy(to, &v, sizeof v);
}

/// The vector itself, in a register: for one that several operations use. Compilers otherwise fold
/// its load into each of them, and in a register tile with AVX2 the loads, two a cycle, then take
/// longer than the arithmetic.
template <class V>
__attribute__((always_inline)) inline V in_register(V v) {
#if defined(__x86_64__)
  asm("" : "+v"(v));
#elif defined(__aarch64__)
  asm("" : "+w"(v));
#endif
  return v;
}

/// Loads lanes<double> elements of T, converted to double by the load itself: half the instructions
/// of loading a register and converting its halves.
template <class T>
inline Vector<double> load_doubles(T const* from) {
#if defined(__AVX512F__)
  // The masked form, since gcc 12 warns that the plain intrinsic's result is uninitialised.
  if constexpr (sizeof(T) == 4)
    return (Vector<double>)_mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(from));
#elif defined(__AVX__)
  if constexpr (sizeof(T) == 4) return (Vector<double>)_mm256_cvtps_pd(_mm_loadu_ps(from));
#endif
  double values[lanes<double>];
  for (int i = 0; i < lanes<double>; ++i) values[i] = static_cast<double>(from[i]);
  return load_vector(values);
}

/// The lower and the upper half of a register as doubles.
inline Vector<double> lower_doubles(Vector<float> v) {
#if defined(__AVX512F__)
  // Not the intrinsics: of the one for the lower half gcc 12 warns, too.
  Vector<double> doubles;
  asm("vcvtps2pd %t1, %0" : "=v"(doubles) : "v"(v));
  return doubles;
#elif defined(__AVX__)
  return (Vector<double>)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)v));
#else
  return load_doubles(reinterpret_cast<float const*>(&v));
#endif
}
inline Vector<double> upper_doubles(Vector<float> v) {
#if defined(__AVX512F__)
  // The masked form, as above.
  auto const upper = _mm512_maskz_shuffle_f64x2(0xff, (__m512d)v, (__m512d)v, 0xee);
  return lower_doubles((Vector<float>)upper);
#elif defined(__AVX__)
  return (Vector<double>)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)v, 1));
#else
  return load_doubles(reinterpret_cast<float const*>(&v) + lanes<double>);
#endif
}

/// Copies the first `count` of lanes<float> numbers of 16 bits.
inline void copy_first_halves(std::uint16_t* to, std::uint16_t const* from, int count) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  auto const some = static_cast<__mmask16>((1u << count) - 1);
  _mm256_mask_storeu_epi16(to, some, _mm256_maskz_loadu_epi16(some, from));
#else
  for (int i = 0; i < count; ++i) to[i] = from[i];
#endif
}

/// bf16 numbers, by their bits, as f32.
inline Vector<float> load_bfloat16(std::uint16_t const* from) {
#if defined(__AVX512F__)
  // The masked form, since gcc 12 warns that the plain intrinsic's result is uninitialised.
  auto const bits = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(from));
  return (Vector<float>)((Vector<std::uint32_t>)_mm512_maskz_cvtepu16_epi32(0xffff, bits) << 16);
#elif defined(__AVX2__)
  auto const bits = _mm_loadu_si128(reinterpret_cast<__m128i const*>(from));
  return (Vector<float>)((Vector<std::uint32_t>)_mm256_cvtepu16_epi32(bits) << 16);
#else
  float values[lanes<float>];
  for (int i = 0; i < lanes<float>; ++i) values[i] = bfloat16_value(from[i]);
  return load_vector(values);
#endif
}

/// Each lane as bf16 holds it: see `bfloat16_rounded_bits`.
inline Vector<float> rounded_to_bfloat16(Vector<float> v) {
#if defined(__AVX512BF16__) && defined(__AVX512DQ__)
  // The instruction takes denormal numbers for zero.
  constexpr int denormal = 0x20;
  if (__builtin_expect(_mm512_fpclass_ps_mask((__m512)v, denormal) == 0, 1)) {
    __m256i halves;
    asm("vcvtneps2bf16 %1, %0" : "=v"(halves) : "v"(v));
    return (Vector<float>)((Vector<std::uint32_t>)_mm512_maskz_cvtepu16_epi32(0xffff, halves)
                           << 16);
  }
#endif
  auto const bits = (Vector<std::uint32_t>)v;
  auto const nearest = bits + 0x7fffu + (bits >> 16 & 1u);
  auto const is_nan = (Lanes<float>)(bits & 0x7fffffffu) > 0x7f800000;
  return (Vector<float>)((is_nan ? bits | 0x400000u : nearest) & 0xffff0000u);
}

/// Numbers that bf16 holds, by their bits.
inline void store_bfloat16(std::uint16_t* to, Vector<float> rounded) {
  auto const bits = (Vector<std::uint32_t>)rounded >> 16;
#if defined(__AVX512F__)
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm512_maskz_cvtepi32_epi16(0xffff, (__m512i)bits));
#elif defined(__AVX2__)
  auto const halves = _mm256_packus_epi32((__m256i)bits, (__m256i)bits);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_castsi256_si128(_mm256_permute4x64_epi64(halves, 0xd8)));
#else
  for (int i = 0; i < lanes<float>; ++i) to[i] = static_cast<std::uint16_t>(bits[i]);
#endif
}

/// f16 numbers, by their bits, as f32; and f32 rounded to f16.
inline Vector<float> load_float16(std::uint16_t const* from) {
#if defined(__AVX512F__)
  // Masked forms, since gcc 12 warns that the plain intrinsics' results are uninitialised.
  auto const bits = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(from));
  return (Vector<float>)_mm512_maskz_cvtph_ps(0xffff, bits);
#elif defined(__F16C__)
  return (Vector<float>)_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from)));
#else
  float values[lanes<float>];
  for (int i = 0; i < lanes<float>; ++i) values[i] = float16_value(from[i]);
  return load_vector(values);
#endif
}
inline void store_float16(std::uint16_t* to, Vector<float> v) {
#if defined(__AVX512F__)
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm512_maskz_cvtps_ph(0xffff, (__m512)v, _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__)
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT));
#else
  for (int i = 0; i < lanes<float>; ++i) to[i] = float16_bits(v[i]);
#endif
}

/// Each lane as f16 holds it.
inline Vector<float> rounded_to_float16(Vector<float> v) {
  std::uint16_t bits[lanes<float>];
  store_float16(bits, v);
  return load_float16(bits);
}

/// Non-temporal store to an address aligned to the register's size (an ordinary store without AVX):
/// the line is written without being read first. Other threads see it after `store_fence`.
template <class T>
inline void store_non_temporal(T* to, Vector<T> v) {
#if defined(__AVX512F__)
  _mm512_stream_ps(reinterpret_cast<float*>(to), (__m512)v);
#elif defined(__AVX__)
  _mm256_stream_ps(reinterpret_cast<float*>(to), (__m256)v);
#else
  store_vector(to, v);
#endif
}
inline void store_fence() {
#if defined(__AVX__)
  _mm_sfence();
#endif
}

template <class T>
inline Vector<T> broadcast(T x) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm512_set1_ps(x);
  else
    return (Vector<T>)_mm512_set1_pd(x);
#elif defined(__AVX__)
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm256_set1_ps(x);
  else
    return (Vector<T>)_mm256_set1_pd(x);
#else
  Vector<T> v{};
  for (int i = 0; i < lanes<T>; ++i) v[i] = x;
  return v;
#endif
}

/// next > largest ? next : largest in each lane; so NaN in `next` is ignored.
template <class T>
inline Vector<T> larger(Vector<T> next, Vector<T> largest) {
#if defined(__AVX512F__)
  // The masked form, since gcc 12 warns that the plain intrinsic's result is uninitialised.
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm512_maskz_max_ps(0xffff, (__m512)next, (__m512)largest);
  else
    return (Vector<T>)_mm512_maskz_max_pd(0xff, (__m512d)next, (__m512d)largest);
#elif defined(__AVX__)
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm256_max_ps((__m256)next, (__m256)largest);
  else
    return (Vector<T>)_mm256_max_pd((__m256d)next, (__m256d)largest);
#else
  return next > largest ? next : largest;
#endif
}

/// Fused multiply-add: a b + c in each lane, rounded once.
template <class T>
inline Vector<T> multiply_add(Vector<T> a, Vector<T> b, Vector<T> c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
  else
    return (Vector<T>)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(__FMA__)
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
  else
    return (Vector<T>)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  for (int i = 0; i < lanes<T>; ++i) c[i] = std::fma(a[i], b[i], c[i]);
  return c;
#endif
}

/// Lane orders for `shuffle`, over the lanes of two registers taken as one sequence: the lanes of
/// even index; those of odd index; the lower halves of both interleaved; the upper halves of both
/// interleaved.
template <class T>
struct EvenLanes {
  static constexpr int at(int i) { return 2 * i; }
};
template <class T>
struct OddLanes {
  static constexpr int at(int i) { return 2 * i + 1; }
};
template <class T>
struct LowerHalves {
  static constexpr int at(int i) { return i / 2 + i % 2 * lanes<T>; }
};
template <class T>
struct UpperHalves {
  static constexpr int at(int i) { return lanes<T> / 2 + LowerHalves<T>::at(i); }
};

namespace detail {

template <template <class> class Order, class T, int... i>
inline Vector<T> shuffle(Vector<T> a, [[maybe_unused]] Vector<T> b,
                         std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, Order<T>::at(i)...);
}

}  // namespace detail

/// Lane i of the result is lane Order::at(i) of the sequence a, b.
template <template <class> class Order, class T>
inline Vector<T> shuffle(Vector<T> a, Vector<T> b) {
  return detail::shuffle<Order, T>(a, b, std::make_integer_sequence<int, lanes<T>>());
}

/// Masked loads and stores of the lanes whose bits are set.
template <class T>
class LaneMask {
 public:
  LaneMask() = default;
  explicit LaneMask(unsigned bits) : bits_(bits) {}

  /// Lane i is from[i] where its bit is set, zero elsewhere; reads nothing elsewhere.
  Vector<T> load(T const* from) const {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
      return (Vector<T>)_mm512_maskz_loadu_ps(static_cast<__mmask16>(bits_), from);
    else
      return (Vector<T>)_mm512_maskz_loadu_pd(static_cast<__mmask8>(bits_), from);
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4)
      return (Vector<T>)_mm256_maskload_ps(from, (__m256i)inside());
    else
      return (Vector<T>)_mm256_maskload_pd(from, (__m256i)inside());
#else
    T values[lanes<T>] = {};
    for (int i = 0; i < lanes<T>; ++i)
      if (bits_ >> i & 1) values[i] = from[i];
    return load_vector(values);
#endif
  }
  /// Writes lane i to to[i] where its bit is set, nothing elsewhere.
  void store(T* to, Vector<T> v) const {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
      _mm512_mask_storeu_ps(to, static_cast<__mmask16>(bits_), (__m512)v);
    else
      _mm512_mask_storeu_pd(to, static_cast<__mmask8>(bits_), (__m512d)v);
#elif defined(__AVX2__)
    // A masked store of AVX2 is some 40 micro-operations on processors of AMD.
    if (bits_ == all)
      store_vector(to, v);
    else if (bits_ == 0)
      return;
    else if constexpr (sizeof(T) == 4)
      _mm256_maskstore_ps(to, (__m256i)inside(), (__m256)v);
    else
      _mm256_maskstore_pd(to, (__m256i)inside(), (__m256d)v);
#else
    T values[lanes<T>];
    store_vector(values, v);
    for (int i = 0; i < lanes<T>; ++i)
      if (bits_ >> i & 1) to[i] = values[i];
#endif
  }

  /// The lanes whose bits are set, zero elsewhere.
  Vector<T> keep(Vector<T> v) const {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
      return (Vector<T>)_mm512_maskz_mov_ps(static_cast<__mmask16>(bits_), (__m512)v);
    else
      return (Vector<T>)_mm512_maskz_mov_pd(static_cast<__mmask8>(bits_), (__m512d)v);
#else
    for (int i = 0; i < lanes<T>; ++i)
      if ((bits_ >> i & 1) == 0) v[i] = 0;
    return v;
#endif
  }

 private:
#if defined(__AVX2__)
  Lanes<T> inside() const {
    Lanes<T> bit;
    for (int i = 0; i < lanes<T>; ++i) bit[i] = 1 << i;
    return (bit & static_cast<int>(bits_)) != 0;
  }
  static constexpr unsigned all = (1u << lanes<T>)-1;
#endif

  unsigned bits_ = 0;
};

/// Lanes [first, last).
template <class T>
class LaneRange : public LaneMask<T> {
 public:
  LaneRange() = default;
  LaneRange(std::int64_t first, std::int64_t last) : LaneMask<T>(lower(last) & ~lower(first)) {}

 private:
  static unsigned lower(std::int64_t count) {
    return (1u << (count < 0 ? 0 : count < lanes<T> ? count : lanes<T>)) - 1;
  }
};

/// Sum of the lanes, in the order of a binary tree.
template <class T>
inline T sum_of_lanes(Vector<T> v) {
  T parts[lanes<T>];
  std::memcpy(parts, &v, sizeof v);
  for (int half = lanes<T> / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) parts[i] += parts[i + half];
  return parts[0];
}

/// Reorders `height` rows into column-major order in place: column c of all rows, then column c +
/// 1, and so on. `height` is a power of two.
template <class T, int height>
inline void interleave(Vector<T> (&rows)[height]) {
  // log2(height) rounds of shuffling each row into the one half the block away.
  Vector<T> next[height];
#pragma GCC unroll 4
  for (int round = 1; round < height; round *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < height / 2; ++i) {
      next[2 * i] = shuffle<LowerHalves, T>(rows[i], rows[i + height / 2]);
      next[2 * i + 1] = shuffle<UpperHalves, T>(rows[i], rows[i + height / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < height; ++i) rows[i] = next[i];
  }
}

/// Transposes a block of `lanes` rows, row i at from + i * from_pitch, into rows at to + i *
/// to_pitch. With fewer `columns` only those are read, and as many rows written.
template <class T>
inline void transpose_block(T const* from, std::int64_t from_pitch, T* to, std::int64_t to_pitch,
                            std::int64_t columns = lanes<T>) {
  constexpr int n = lanes<T>;
  Vector<T> rows[n];
  if (columns == n) {
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) rows[i] = load_vector(from + i * from_pitch);
    interleave<T, n>(rows);
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) store_vector(to + i * to_pitch, rows[i]);
    return;
  }
  LaneRange<T> const some(0, columns);
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) rows[i] = some.load(from + i * from_pitch);
  interleave<T, n>(rows);
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i)
    if (i < columns) store_vector(to + i * to_pitch, rows[i]);
}

/// The same for a block of fewer rows, and only as much of each row is written.
template <class T>
inline void transpose_part(T const* from, std::int64_t from_pitch, std::int64_t height, T* to,
                           std::int64_t to_pitch, std::int64_t columns) {
  constexpr int n = lanes<T>;
  LaneRange<T> const read(0, columns), written(0, height);
  Vector<T> rows[n];
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) rows[i] = i < height ? read.load(from + i * from_pitch) : Vector<T>{};
  interleave<T, n>(rows);
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i)
    if (i < columns) written.store(to + i * to_pitch, rows[i]);
}

}  // namespace lbann::kernels::host
