// Mean and squared deviations of contiguous numbers, in one pass over memory.
#pragma once

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

/// Of at most 512 numbers: deviations are taken from about their mean, so that nothing cancels.
template <class T>
KOKKOS_FUNCTION Moments tile_moments(T const* x, int count) {
  constexpr int lanes = 16;
  auto const total = lane_sum<T>(count, [=](std::int64_t i) { return x[i]; });
  T const center = static_cast<T>(total / count);
  T sums[lanes] = {}, squares[lanes] = {};
  int i = 0;
  for (; i + lanes <= count; i += lanes)
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
  double const rest = static_cast<double>(sums[0]) / count;
  return {static_cast<double>(count), static_cast<double>(center) + rest,
          static_cast<double>(squares[0]) - rest * rest * count};
}

/// Of any number of contiguous numbers, tile by tile.
template <class T>
KOKKOS_FUNCTION Moments moments_of(T const* x, std::int64_t count) {
  constexpr std::int64_t tile = 512;
  Moments moments;
  for (std::int64_t begin = 0; begin < count; begin += tile)
    moments.merge(
        tile_moments(x + begin, static_cast<int>(count - begin < tile ? count - begin : tile)));
  return moments;
}

}  // namespace lbann::kernels::kokkos
