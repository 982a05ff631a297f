// Scalar functions and conversions over the elements of a tile.
#pragma once

#include "kernels/conversion.hpp"

namespace lbann::kernels::detail {

template <class T, class S>
void convert_range(T* destination, S const* source, int count) {
#pragma omp simd
  for (int i = 0; i < count; ++i) destination[i] = convert<T>(source[i]);
}

template <class T, class F>
void apply_unary(T* d, T const* a, int count) {
#pragma omp simd
  for (int i = 0; i < count; ++i) d[i] = F::value(a[i]);
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
