// Mean and squared deviations of contiguous numbers, in one pass over memory.
#pragma once

#include "kernels/kokkos/fetch_ahead.hpp"
#include "kernels/kokkos/lanes.hpp"

namespace lbann::kernels::kokkos {

/// Number, mean and sum of squared deviations of some numbers.
struct Moments {
  double count = 0, mean = 0, m2 = 0;

  /// Those of the numbers of both (Chan, Golub and LeVeque, 1979).
  KOKKOS_FUNCTION void merge(Moments const& other) {
    if (other.count == 0) return;
    double const all = count + other.count, part = other.count / all;
    double const apart = other.mean - mean;
    m2 += other.m2 + apart * apart * count * part;
    mean += apart * part;
    count = all;
  }
};

/// Of at most 512 numbers, from their deviations from `center`. Next to `center` being the mean of
/// other numbers that these are merged with, nothing that counts cancels: what the squares lose is
/// small beside the distance of the means, which the merged sum holds.
template <class T>
KOKKOS_FUNCTION Moments tile_moments(T const* x, int count, T center) {
  constexpr int lanes = 16;
  T sums[lanes] = {}, squares[lanes] = {};
  int i = 0;
  for (; i + lanes <= count; i += lanes)
#pragma omp simd
    for (int j = 0; j < lanes; ++j) {
      T const apart = x[i + j] - center;
      sums[j] += apart;
      squares[j] += apart * apart;
    }
  for (int j = 0; i + j < count; ++j) {
    T const apart = x[i + j] - center;
    sums[j] += apart;
    squares[j] += apart * apart;
  }
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int j = 0; j < half; ++j) {
      sums[j] += sums[j + half];
      squares[j] += squares[j + half];
    }
  auto const all = static_cast<double>(count), sum = static_cast<double>(sums[0]);
  double const m2 = static_cast<double>(squares[0]) - sum * sum / all;
  return {all, static_cast<double>(center) + sum / all, m2 < 0 ? 0 : m2};
}

/// Of `count` contiguous numbers, tile by tile; those that follow them, of `available`, are fetched
/// meanwhile.
template <class T>
KOKKOS_FUNCTION Moments moments_of(T const* x, std::int64_t count, std::int64_t available) {
  constexpr std::int64_t tile = 512;
  Moments moments;
  for (std::int64_t begin = 0; begin < count; begin += tile) {
    std::int64_t const next = begin + tile, rest = available - next;
    fetch_ahead(x + next, rest < tile ? rest : tile);
    int const size = static_cast<int>(count < next ? count - begin : tile);
    T const* const from = x + begin;
    double const center = begin > 0
                              ? moments.mean
                              : lane_sum<T>(size, [=](std::int64_t i) { return from[i]; }) / size;
    moments.merge(tile_moments(from, size, static_cast<T>(center)));
  }
  return moments;
}

}  // namespace lbann::kernels::kokkos
