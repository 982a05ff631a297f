// Mean and sum of squared deviations of contiguous numbers, in one pass over memory.
#pragma once

#include "kernels/conversion.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/kokkos/moments.hpp"

namespace lbann::kernels::host {

/// Moments of at most 512 numbers from sums of their deviations from `center` and of the squares.
/// `center` is the mean of the numbers these are merged with. If it lies far from these numbers'
/// mean, squares cancel, but the error is small beside the distance of the means, which `merge`
/// adds.
template <class T>
Moments tile_moments(T const* x, int count, ComputeType<T> center) {
  using Sum = ComputeType<T>;
  constexpr int lanes = 16;
  Sum sums[lanes] = {}, squares[lanes] = {};
  int i = 0;
  for (; i + lanes <= count; i += lanes)
#pragma omp simd
    for (int j = 0; j < lanes; ++j) {
      Sum const apart = convert<Sum>(x[i + j]) - center;
      sums[j] += apart;
      squares[j] += apart * apart;
    }
  for (int j = 0; i + j < count; ++j) {
    Sum const apart = convert<Sum>(x[i + j]) - center;
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

/// Moments of `count` contiguous numbers, tile by tile. The next tile is prefetched meanwhile, also
/// beyond `count` as far as `available` numbers follow x.
template <class T>
Moments moments_of(T const* x, std::int64_t count, std::int64_t available) {
  constexpr std::int64_t tile = 512;
  Moments moments;
  for (std::int64_t begin = 0; begin < count; begin += tile) {
    std::int64_t const next = begin + tile, rest = available - next;
    prefetch(x + next, rest < tile ? rest : tile);
    int const size = static_cast<int>(count < next ? count - begin : tile);
    T const* const from = x + begin;
    double const center =
        begin > 0 ? moments.mean : kokkos::lane_sum<ComputeType<T>>(size, [=](std::int64_t i) {
                                     return convert<ComputeType<T>>(from[i]);
                                   }) / size;
    moments.merge(tile_moments(from, size, static_cast<ComputeType<T>>(center)));
  }
  return moments;
}

}  // namespace lbann::kernels::host
