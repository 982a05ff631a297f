// What all kernels of moments share: moments and how they are merged, partial results, the layout.
#pragma once

#include <Kokkos_Core.hpp>
#include <optional>

#include "kernels/kernel.hpp"
#include "kernels/shapes/reduce_layout.hpp"

namespace lbann::kernels {

/// Number, mean and sum of squared deviations of some numbers.
struct Moments {
  double count = 0, mean = 0, m2 = 0;

  /// Adds the moments of other numbers (Chan, Golub and LeVeque, 1979).
  KOKKOS_FUNCTION void merge(Moments const& other) {
    if (other.count == 0) return;
    double const all = count + other.count, part = other.count / all;
    double const apart = other.mean - mean;
    m2 += other.m2 + apart * apart * count * part;
    mean += apart * part;
    count = all;
  }
};

/// Moments of numbers that come one after the other, by sums of their deviations from the first and
/// of the squares of those: as that is one of the numbers itself, no more than log(count) digits
/// cancel.
struct DeviationSums {
  double count = 0, origin = 0, sum = 0, squares = 0;

  KOKKOS_FUNCTION void add(double value) {
    if (count == 0) origin = value;
    double const apart = value - origin;
    sum += apart;
    squares += apart * apart;
    count += 1;
  }

  KOKKOS_FUNCTION Moments moments() const {
    if (count == 0) return {};
    double const rest = sum / count, m2 = squares - rest * sum;
    return {count, origin + rest, m2 > 0 ? m2 : 0};
  }
};

/// Of value(i) for i = first, first + step, ... below `count`.
template <class Value>
KOKKOS_FUNCTION Moments strided_moments(std::int64_t first, std::int64_t step, std::int64_t count,
                                        Value const& value) {
  DeviationSums sums;
  for (std::int64_t i = first; i < count; i += step) sums.add(value(i));
  return sums.moments();
}

/// Partial results in scratch: [piece][mean, then m2][output].
struct MomentPartials {
  double* data;
  std::int64_t outputs;

  KOKKOS_FUNCTION double& mean(std::int64_t piece, std::int64_t output) const {
    return data[2 * piece * outputs + output];
  }
  KOKKOS_FUNCTION double& m2(std::int64_t piece, std::int64_t output) const {
    return data[(2 * piece + 1) * outputs + output];
  }
};

/// Merges the partial results of one output for each index.
struct CombineMoments {
  ReduceLayout layout;
  MomentPartials partials;
  double *mean, *m2;

  KOKKOS_FUNCTION void operator()(std::int64_t output) const {
    Moments all;
    for (std::int64_t i = 0; i < layout.partials(); ++i) {
      auto const count = elements_of_partial(layout, i);
      all.merge({static_cast<double>(count), partials.mean(i, output), partials.m2(i, output)});
    }
    mean[output] = all.mean;
    m2[output] = all.m2;
  }
};

struct SetNumber {
  double* to;
  double value;
  KOKKOS_FUNCTION void operator()(std::int64_t) const { *to = value; }
};

/// Nothing if the axes are beyond kernels or scratch does not hold the partial results.
inline std::optional<ReduceLayout> moments_layout(Call const& call, ReduceGrain const& grain) {
  auto const& x = call.inputs[0];
  auto layout =
      reduce_layout({x.extents.data(), x.rank}, operator_of<operators::moments>(call).axes, grain);
  if (layout && layout->partials() > 1 &&
      layout->partials() * layout->outputs() * 16 > static_cast<std::int64_t>(call.scratch.size()))
    return {};
  return layout;
}

}  // namespace lbann::kernels
