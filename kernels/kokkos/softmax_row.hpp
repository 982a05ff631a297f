// What softmax and its fusion with cross entropy do with one row.
#pragma once

#include <limits>

#include "kernels/kokkos/lanes.hpp"
#include "schemas/functions/exp.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::kokkos {

template <class T>
struct RowScale {
  T largest, sum;
};

/// Puts exp(x - max) into y; gives the maximum and the sum.
template <class T>
KOKKOS_FUNCTION RowScale<T> exponentials(T const* x, T* y, std::int64_t columns) {
  T const largest =
      lane_max(columns, -std::numeric_limits<T>::infinity(), [=](std::int64_t i) { return x[i]; });
#pragma omp simd
  for (std::int64_t i = 0; i < columns; ++i) y[i] = functions::exp::value(x[i] - largest);
  return {largest, static_cast<T>(lane_sum<T>(columns, [=](std::int64_t i) { return y[i]; }))};
}

/// y = max(y / sum, minimum).
template <class T>
KOKKOS_FUNCTION void normalise(T* y, std::int64_t columns, T sum, T minimum) {
#pragma omp simd
  for (std::int64_t i = 0; i < columns; ++i) {
    T const p = y[i] / sum;
    y[i] = p < minimum ? minimum : p;
  }
}

}  // namespace lbann::kernels::kokkos
