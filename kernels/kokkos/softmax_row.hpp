// What softmax and its fusion with cross entropy do with one row.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/kokkos/fetch_ahead.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/kokkos/streams.hpp"
#include "schemas/functions/exponential.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::kokkos {

/// Most entries of a row that is put together in a first cache before it goes past all of them.
template <class T>
inline constexpr std::int64_t streamed_row = on_host ? 16384 / sizeof(T) : 1;

/// Whether rows are, and whether it is worth it.
template <class T>
bool are_streamed(std::int64_t rows, std::int64_t columns) {
  std::int64_t const bytes = columns * std::int64_t(sizeof(T));
  return on_host && columns <= streamed_row<T> && bytes >= 256 &&
         rows * bytes >= streamed_in_order();
}

template <class T>
struct RowScale {
  T largest, sum;
};

/// Puts exp(x - max) into y; gives the maximum and the sum. The row of x after this, if there is
/// one, is fetched meanwhile, and what is behind y unless that `stays` where it is.
template <class T>
KOKKOS_FUNCTION RowScale<T> exponentials(T const* x, T* y, std::int64_t columns, bool is_last,
                                         bool stays) {
  T const largest =
      lane_max(columns, -std::numeric_limits<T>::infinity(), [=](std::int64_t i) { return x[i]; });
  double const sum = lane_sum<T>(
      columns,
      [=](std::int64_t i) {
        T const power = functions::detail::exponential_up_to_one(x[i] - largest);
        y[i] = power;
        return power;
      },
      [=](std::int64_t i, std::int64_t count) {
        if (is_last) return;
        fetch_ahead(x + columns + i, count);
        if (!stays) fetch_ahead_to_write(y + columns + i, count);
      });
  return {largest, static_cast<T>(sum)};
}

/// part / whole, of which the reciprocal is known: as a division rounds it but for rare last bits,
/// and several times as fast.
template <class T>
KOKKOS_FUNCTION T share_of(T part, T whole, T reciprocal) {
  T const share = part * reciprocal;
  return std::fma(std::fma(-share, whole, part), reciprocal, share);
}

/// y = max(y / sum, minimum).
template <class T>
KOKKOS_FUNCTION void normalise(T* y, std::int64_t columns, T sum, T minimum) {
  T const reciprocal = T(1) / sum;
#pragma omp simd
  for (std::int64_t i = 0; i < columns; ++i) {
    T const p = share_of(y[i], sum, reciprocal);
    y[i] = p < minimum ? minimum : p;
  }
}

}  // namespace lbann::kernels::kokkos
