// What softmax and its fusion with cross entropy do with one row.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/host/non_temporal.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "schemas/functions/exponential.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::host {

/// Most entries of a row that is computed in a first-level cache buffer and then written with
/// non-temporal stores.
template <class T>
inline constexpr std::int64_t most_staged = 16384 / sizeof(T);

/// Whether rows are written so: they fit the buffer, and the output is large.
template <class T>
bool rows_take_non_temporal_stores(std::int64_t rows, std::int64_t columns) {
  std::int64_t const bytes = columns * std::int64_t(sizeof(T));
  return columns <= most_staged<T> && bytes >= 256 && rows * bytes >= non_temporal_bytes_in_order();
}

/// As `kokkos::lane_sum`, and before elements [i, i + n), n <= 128, ahead(i, n) is called, which
/// may prefetch. Not one function with that: the calls cut its loop short, and sums that prefetch
/// nothing went from 95 to 70 GB/s in it.
template <class Sum, class Value, class Ahead>
double lane_sum_with_prefetch(std::int64_t count, Value const& value, Ahead const& ahead) {
  constexpr int lanes = 16;
  constexpr std::int64_t step = 128, tile = 512;
  double total = 0;
  for (std::int64_t begin = 0; begin < count; begin += tile) {
    std::int64_t const end = begin + tile < count ? begin + tile : count;
    Sum sums[lanes] = {};
    for (std::int64_t first = begin; first < end; first += step) {
      std::int64_t const last = first + step < end ? first + step : end;
      ahead(first, last - first);
      std::int64_t i = first;
      for (; i + lanes <= last; i += lanes)
#pragma omp simd
        for (int j = 0; j < lanes; ++j) sums[j] += static_cast<Sum>(value(i + j));
      for (int j = 0; i + j < last; ++j) sums[j] += static_cast<Sum>(value(i + j));
    }
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) sums[j] += sums[j + half];
    total += static_cast<double>(sums[0]);
  }
  return total;
}

template <class T>
struct RowScale {
  T largest, sum;
};

/// Writes exp(x - max) to y; returns the maximum and the sum. Meanwhile prefetches the next row of
/// x unless this `is_last`, and the next row of y unless y is a buffer that `stays` in the cache.
template <class T>
RowScale<T> exponentials(T const* x, T* y, std::int64_t columns, bool is_last, bool stays) {
  T const largest = kokkos::lane_max(columns, -std::numeric_limits<T>::infinity(),
                                     [=](std::int64_t i) { return x[i]; });
  double const sum = lane_sum_with_prefetch<T>(
      columns,
      [=](std::int64_t i) {
        T const power = functions::detail::exponential_up_to_one(x[i] - largest);
        y[i] = power;
        return power;
      },
      [=](std::int64_t i, std::int64_t count) {
        if (is_last) return;
        prefetch(x + columns + i, count);
        if (!stays) prefetch_for_write(y + columns + i, count);
      });
  return {largest, static_cast<T>(sum)};
}

/// part / whole from the reciprocal of `whole`: several times as fast as a division, and equal to
/// it but for rare last bits.
template <class T>
T share_of(T part, T whole, T reciprocal) {
  T const share = part * reciprocal;
  return std::fma(std::fma(-share, whole, part), reciprocal, share);
}

/// y = max(y / sum, minimum).
template <class T>
void normalise(T* y, std::int64_t columns, T sum, T minimum) {
  T const reciprocal = T(1) / sum;
#pragma omp simd
  for (std::int64_t i = 0; i < columns; ++i) {
    T const p = share_of(y[i], sum, reciprocal);
    y[i] = p < minimum ? minimum : p;
  }
}

}  // namespace lbann::kernels::host
