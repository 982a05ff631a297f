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

/// Of at most 512 numbers: deviations are taken from about their mean, so that nothing cancels.
template <class T>
KOKKOS_FUNCTION Moments tile_moments(T const* x, int count) {
  T const center =
      static_cast<T>(lane_sum<T>(count, [=](std::int64_t i) { return x[i]; }) / count);
  // One sum after the other: loops that compilers keep in registers.
  double const rest = lane_sum<T>(count, [=](std::int64_t i) { return x[i] - center; }) / count;
  double const squares = lane_sum<T>(count, [=](std::int64_t i) {
    T const apart = x[i] - center;
    return apart * apart;
  });
  return {static_cast<double>(count), static_cast<double>(center) + rest,
          squares - rest * rest * count};
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
    moments.merge(tile_moments(x + begin, static_cast<int>(count < next ? count - begin : tile)));
  }
  return moments;
}

}  // namespace lbann::kernels::kokkos
