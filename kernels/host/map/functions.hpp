// Scalar functions and conversions over the elements of a tile.
#pragma once

#include "kernels/conversion.hpp"
#include "kernels/host/vector.hpp"
#include "schemas/functions/float16.hpp"

namespace lbann::kernels::detail {

template <class T, class S>
void convert_range(T* destination, S const* source, int count) {
#pragma omp simd
  for (int i = 0; i < count; ++i) destination[i] = convert<T>(source[i]);
}

/// By the processor's instructions for f16, which compilers do not make of the loop above.
inline void convert_range(float* destination, Float16 const* source, int count) {
  constexpr int width = host::lanes<float>;
  auto const* const bits = reinterpret_cast<std::uint16_t const*>(source);
  int i = 0;
  for (; i + width <= count; i += width)
    host::store_vector(destination + i, host::load_float16(bits + i));
  for (; i < count; ++i) destination[i] = convert<float>(source[i]);
}
inline void convert_range(Float16* destination, float const* source, int count) {
  constexpr int width = host::lanes<float>;
  auto* const bits = reinterpret_cast<std::uint16_t*>(destination);
  int i = 0;
  for (; i + width <= count; i += width)
    host::store_float16(bits + i, host::load_vector(source + i));
  for (; i < count; ++i) destination[i] = convert<Float16>(source[i]);
}

template <class T, class F>
void apply_unary(T* d, T const* a, int count) {
  int i = 0;
  if constexpr (std::is_same_v<T, float> && std::is_same_v<F, functions::float16>) {
    constexpr int width = host::lanes<float>;
    for (; i + width <= count; i += width)
      host::store_vector(d + i, host::rounded_to_float16(host::load_vector(a + i)));
  }
#pragma omp simd
  for (int j = i; j < count; ++j) d[j] = F::value(a[j]);
}

/// Bit k of `scalars` tells that argument k is one value for all elements.
template <class T, class F, unsigned scalars>
void apply_binary(T* d, T const* a, T sa, T const* b, T sb, int count) {
#pragma omp simd
  for (int i = 0; i < count; ++i)
    d[i] = F::value((scalars & 1) != 0 ? sa : a[i], (scalars & 2) != 0 ? sb : b[i]);
}

template <class T, class F, unsigned scalars>
void apply_ternary(T* d, T const* a, T sa, T const* b, T sb, T const* c, T sc, int count) {
#pragma omp simd
  for (int i = 0; i < count; ++i)
    d[i] = F::value((scalars & 1) != 0 ? sa : a[i], (scalars & 2) != 0 ? sb : b[i],
                    (scalars & 4) != 0 ? sc : c[i]);
}

}  // namespace lbann::kernels::detail
