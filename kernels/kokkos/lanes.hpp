// Sums, maxima and products of contiguous elements in a fixed order, by 16 independent accumulators
// that compilers keep in vector registers.
#pragma once

#include <Kokkos_Core.hpp>

namespace lbann::kernels::kokkos {

/// Sum of value(i) over i in [0, count): element i is added to accumulator i % 16, accumulators are
/// added pairwise. At most 512 elements are added in type Sum before the sum goes on in double.
template <class Sum, class Value>
KOKKOS_FUNCTION double lane_sum(std::int64_t count, Value const& value) {
  constexpr int lanes = 16;
  double total = 0;
  for (std::int64_t begin = 0; begin < count; begin += 512) {
    std::int64_t const end = begin + 512 < count ? begin + 512 : count;
    Sum sums[lanes] = {};
    std::int64_t i = begin;
    for (; i + lanes <= end; i += lanes)
      for (int j = 0; j < lanes; ++j) sums[j] += static_cast<Sum>(value(i + j));
    for (int j = 0; i + j < end; ++j) sums[j] += static_cast<Sum>(value(i + j));
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) sums[j] += sums[j + half];
    total += static_cast<double>(sums[0]);
  }
  return total;
}

/// value(i) over i in [0, count) folded by `combine`; each of the 16 accumulators begins at
/// `start`.
template <class T, class Value, class Combine>
KOKKOS_FUNCTION T lane_fold(std::int64_t count, T start, Value const& value,
                            Combine const& combine) {
  constexpr int lanes = 16;
  T results[lanes];
  for (int j = 0; j < lanes; ++j) results[j] = start;
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
#pragma omp simd
    for (int j = 0; j < lanes; ++j) results[j] = combine(results[j], static_cast<T>(value(i + j)));
  for (int j = 0; i + j < count; ++j)
    results[j] = combine(results[j], static_cast<T>(value(i + j)));
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int j = 0; j < half; ++j) results[j] = combine(results[j], results[j + half]);
  return results[0];
}

/// Largest of `start` and value(i) over i in [0, count); NaN is never the largest.
template <class T, class Value>
KOKKOS_FUNCTION T lane_max(std::int64_t count, T start, Value const& value) {
  return lane_fold<T>(count, start, value, [](T a, T b) { return b > a ? b : a; });
}

}  // namespace lbann::kernels::kokkos
