// A register's worth of numbers: what dense kernels are written in on a CPU; one number elsewhere.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX__)
#include <immintrin.h>
#endif

namespace lbann::kernels::kokkos {

#if defined(__CUDACC__) || defined(__HIPCC__) || !defined(__GNUC__)
inline constexpr int vector_bytes = 0;
#elif defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

namespace detail {

template <class T, int bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
};
template <class T>
struct VectorOf<T, 0> {
  using type = T;
};

}  // namespace detail

template <class T>
using Vector = typename detail::VectorOf<T, vector_bytes>::type;

/// Numbers in a `Vector<T>`.
template <class T>
inline constexpr int lanes = sizeof(Vector<T>) / sizeof(T);

/// Registers of the machine, as far as tiles may count on them.
inline constexpr int vector_registers = vector_bytes == 64 ? 32 : 16;

/// From any address.
template <class T>
KOKKOS_FUNCTION inline Vector<T> load_vector(T const* from) {
  Vector<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class T>
KOKKOS_FUNCTION inline void store_vector(T* to, Vector<T> v) {
  std::memcpy(to, &v, sizeof v);
}

/// The numbers of a `Vector<double>` from any address, converted while they are loaded, which takes
/// half of what the halves of a register take.
template <class T>
KOKKOS_FUNCTION inline Vector<double> load_doubles(T const* from) {
#if !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX512F__)
  // With a mask of all lanes, for gcc 12 takes the other's result for uninitialised.
  if constexpr (sizeof(T) == 4)
    return (Vector<double>)_mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(from));
#elif !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX__)
  if constexpr (sizeof(T) == 4) return (Vector<double>)_mm256_cvtps_pd(_mm_loadu_ps(from));
#endif
  double values[lanes<double>];
  for (int i = 0; i < lanes<double>; ++i) values[i] = static_cast<double>(from[i]);
  return load_vector(values);
}

/// Past the caches where the machine can, to an address that is a multiple of the vector's size:
/// memory that is not read again soon need not be read before it is written. `finish_streams` makes
/// it visible to other threads.
template <class T>
KOKKOS_FUNCTION inline void stream_vector(T* to, Vector<T> v) {
#if !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX512F__)
  _mm512_stream_ps(reinterpret_cast<float*>(to), (__m512)v);
#elif !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX__)
  _mm256_stream_ps(reinterpret_cast<float*>(to), (__m256)v);
#else
  store_vector(to, v);
#endif
}
KOKKOS_FUNCTION inline void finish_streams() {
#if !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX__)
  _mm_sfence();
#endif
}

template <class T>
KOKKOS_FUNCTION inline Vector<T> broadcast(T x) {
#if !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX512F__)
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm512_set1_ps(x);
  else
    return (Vector<T>)_mm512_set1_pd(x);
#elif !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX__)
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm256_set1_ps(x);
  else
    return (Vector<T>)_mm256_set1_pd(x);
#else
  if constexpr (lanes<T> == 1) {
    return x;
  } else {
    Vector<T> v;
    for (int i = 0; i < lanes<T>; ++i) v[i] = x;
    return v;
  }
#endif
}

/// next > largest ? next : largest, each for itself.
template <class T>
KOKKOS_FUNCTION inline Vector<T> larger(Vector<T> next, Vector<T> largest) {
#if !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX512F__)
  // With a mask of all lanes, for gcc 12 takes the other's result for uninitialised.
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm512_maskz_max_ps(0xffff, (__m512)next, (__m512)largest);
  else
    return (Vector<T>)_mm512_maskz_max_pd(0xff, (__m512d)next, (__m512d)largest);
#elif !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX__)
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm256_max_ps((__m256)next, (__m256)largest);
  else
    return (Vector<T>)_mm256_max_pd((__m256d)next, (__m256d)largest);
#else
  return next > largest ? next : largest;
#endif
}

/// a b + c, rounded once.
template <class T>
KOKKOS_FUNCTION inline Vector<T> multiply_add(Vector<T> a, Vector<T> b, Vector<T> c) {
#if !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX512F__)
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
  else
    return (Vector<T>)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__FMA__)
  if constexpr (sizeof(T) == 4)
    return (Vector<T>)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
  else
    return (Vector<T>)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  if constexpr (lanes<T> == 1) {
    return std::fma(a, b, c);
  } else {
    for (int i = 0; i < lanes<T>; ++i) c[i] = std::fma(a[i], b[i], c[i]);
    return c;
  }
#endif
}

/// A whole number as large as a T.
template <class T>
using Lanes = Vector<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

/// Orders of the lanes of two registers, the second behind the first, for `shuffle`: those with an
/// even index, and the lower or upper halves with their lanes in turn.
template <class T>
struct EvenLanes {
  static constexpr int at(int i) { return 2 * i; }
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
KOKKOS_FUNCTION inline Vector<T> shuffle(Vector<T> a, [[maybe_unused]] Vector<T> b,
                                         std::integer_sequence<int, i...>) {
#if defined(__CUDACC__) || defined(__HIPCC__)
  return a;
#else
  return __builtin_shufflevector(a, b, Order<T>::at(i)...);
#endif
}

}  // namespace detail

/// Number i of the result is number Order::at(i) of `a` with `b` behind it.
template <template <class> class Order, class T>
KOKKOS_FUNCTION inline Vector<T> shuffle(Vector<T> a, Vector<T> b) {
  return detail::shuffle<Order, T>(a, b, std::make_integer_sequence<int, lanes<T>>());
}

/// Lanes [first, last) of a vector.
template <class T>
struct LaneRange {
  LaneRange() = default;
  KOKKOS_FUNCTION LaneRange(std::int64_t first, std::int64_t last) {
    first_ = static_cast<int>(first < 0 ? 0 : first < lanes<T> ? first : lanes<T>);
    last_ = static_cast<int>(last < first_ ? first_ : last < lanes<T> ? last : lanes<T>);
    mask_ = ((1u << last_) - 1) & ~((1u << first_) - 1);
  }
  /// From `from` + their number, zeros in the others; reads nothing else.
  KOKKOS_FUNCTION Vector<T> load(T const* from) const {
#if !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
      return (Vector<T>)_mm512_maskz_loadu_ps(static_cast<__mmask16>(mask_), from);
    else
      return (Vector<T>)_mm512_maskz_loadu_pd(static_cast<__mmask8>(mask_), from);
#elif !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX2__)
    if constexpr (sizeof(T) == 4)
      return (Vector<T>)_mm256_maskload_ps(from, (__m256i)inside());
    else
      return (Vector<T>)_mm256_maskload_pd(from, (__m256i)inside());
#else
    T values[lanes<T>] = {};
    for (int i = first_; i < last_; ++i) values[i] = from[i];
    return load_vector(values);
#endif
  }
  /// To `to` + their number; writes nothing else.
  KOKKOS_FUNCTION void store(T* to, Vector<T> v) const {
#if !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
      _mm512_mask_storeu_ps(to, static_cast<__mmask16>(mask_), (__m512)v);
    else
      _mm512_mask_storeu_pd(to, static_cast<__mmask8>(mask_), (__m512d)v);
#elif !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX2__)
    if constexpr (sizeof(T) == 4)
      _mm256_maskstore_ps(to, (__m256i)inside(), (__m256)v);
    else
      _mm256_maskstore_pd(to, (__m256i)inside(), (__m256d)v);
#else
    T values[lanes<T>];
    store_vector(values, v);
    for (int i = first_; i < last_; ++i) to[i] = values[i];
#endif
  }

 private:
#if !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__AVX2__)
  Lanes<T> inside() const {
    Lanes<T> lane;
    for (int i = 0; i < lanes<T>; ++i) lane[i] = i;
    return (lane >= first_) & (lane < last_);
  }
#endif

  int first_ = 0, last_ = 0;
  unsigned mask_ = 0;
};

/// Sum of the lanes, in the order of a binary tree.
template <class T>
KOKKOS_FUNCTION inline T sum_of_lanes(Vector<T> v) {
  if constexpr (lanes<T> == 1) {
    return v;
  } else {
    T parts[lanes<T>];
    std::memcpy(parts, &v, sizeof v);
    for (int half = lanes<T> / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) parts[i] += parts[i + half];
    return parts[0];
  }
}

/// Numbers of `height` rows one column after the other, in place: column c of all rows, in order,
/// then column c + 1, and so on. `height` is a power of two.
template <class T, int height>
inline void interleave(Vector<T> (&rows)[height]) {
  if constexpr (lanes<T> > 1) {
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
}

/// Columns of a block of `lanes` x `lanes` numbers become rows: row i begins at from + i *
/// from_pitch. Of fewer columns nothing else is read, and as many rows are written.
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

}  // namespace lbann::kernels::kokkos
