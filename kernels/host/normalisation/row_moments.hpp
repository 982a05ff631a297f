// Mean and sum of squared deviations of contiguous numbers, in one pass over memory.
#pragma once

#include <algorithm>

#include "kernels/host/load_numbers.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/kokkos/moments.hpp"

namespace lbann::kernels::host {

/// Numbers whose deviations are added up before the sums go on in double, at most.
inline constexpr std::int64_t tile_of_moments = 1024;

/// Sums of the deviations of a tile's numbers from `center` and of the squares, in 32 lanes
/// whatever the registers are. `center` is the mean of the numbers that these are merged with, or
/// near that of some of them. If it lies far from these numbers' mean, squares cancel, but the
/// error is small beside the distance of the means, which `merge` adds, or beside that of some from
/// others.
template <class T>
class DeviationLanes {
  using Sum = ComputeType<T>;

 public:
  explicit DeviationLanes(Sum center) : center_(center) {}

  void add(T const* x, std::int64_t count) {
    count_ += count;
    auto const center = broadcast(center_);
    // In registers: an array of the class is one in memory.
    Vector<Sum> sums[registers], squares[registers];
#pragma GCC unroll 16
    for (int r = 0; r < registers; ++r) {
      sums[r] = sums_[r];
      squares[r] = squares_[r];
    }
    std::int64_t i = 0;
    for (; i + all <= count; i += all)
#pragma GCC unroll 16
      for (int r = 0; r < registers; ++r) {
        auto const apart = load_numbers(x + i + r * own) - center;
        sums[r] += apart;
        squares[r] += apart * apart;
      }
    if (i < count)
#pragma GCC unroll 16
      for (int r = 0; r < registers; ++r) {
        auto const left = count - i - r * own;
        if (left <= 0) break;
        auto const apart = deviations_of(x + i + r * own, left, center);
        sums[r] += apart;
        squares[r] += apart * apart;
      }
#pragma GCC unroll 16
    for (int r = 0; r < registers; ++r) {
      sums_[r] = sums[r];
      squares_[r] = squares[r];
    }
  }

  Moments moments() {
    for (int half = registers / 2; half > 0; half /= 2)
      for (int r = 0; r < half; ++r) {
        sums_[r] += sums_[r + half];
        squares_[r] += squares_[r + half];
      }
    auto const count = static_cast<double>(count_);
    auto const sum = static_cast<double>(sum_of_lanes<Sum>(sums_[0]));
    double const m2 = static_cast<double>(sum_of_lanes<Sum>(squares_[0])) - sum * sum / count;
    return {count, static_cast<double>(center_) + sum / count, m2 < 0 ? 0 : m2};
  }

 private:
  static constexpr int all = 32, own = lanes<Sum>, registers = all / own;

  /// Deviations of at most a register of numbers, zero behind them.
  static Vector<Sum> deviations_of(T const* x, std::int64_t count, Vector<Sum> center) {
    if (count >= own) return load_numbers(x) - center;
    auto const some = static_cast<int>(count);
    return LaneRange<Sum>(0, some).keep(load_first_numbers(x, some) - center);
  }

  Sum center_;
  std::int64_t count_ = 0;
  Vector<Sum> sums_[registers] = {}, squares_[registers] = {};
};

/// A center for numbers of which these are the first: near their mean, as some of them are.
template <class T>
double first_center(T const* x, std::int64_t count) {
  auto const some = std::min<std::int64_t>(count, 32);
  return kokkos::lane_sum<ComputeType<T>>(
             some, [=](std::int64_t i) { return convert<ComputeType<T>>(x[i]); }) /
         static_cast<double>(some);
}

/// Moments of `count` contiguous numbers, tile by tile. The next tile is prefetched meanwhile, also
/// beyond `count` as far as `available` numbers follow x.
template <class T>
Moments moments_of(T const* x, std::int64_t count, std::int64_t available) {
  Moments moments;
  for (std::int64_t begin = 0; begin < count; begin += tile_of_moments) {
    std::int64_t const next = begin + tile_of_moments, rest = available - next;
    prefetch(x + next, rest < tile_of_moments ? rest : tile_of_moments);
    auto const size = count < next ? count - begin : tile_of_moments;
    double const center = begin > 0 ? moments.mean : first_center(x, size);
    DeviationLanes<T> sums(static_cast<ComputeType<T>>(center));
    sums.add(x + begin, size);
    moments.merge(sums.moments());
  }
  return moments;
}

}  // namespace lbann::kernels::host
