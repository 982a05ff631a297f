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

/// Of value(i) for i = first, first + step, ... below `count`. Sums of deviations from the first
/// number and of their squares are taken in double: as that is one of the numbers itself, no more
/// than log(count) digits cancel.
template <class Value>
KOKKOS_FUNCTION Moments strided_moments(std::int64_t first, std::int64_t step, std::int64_t count,
                                        Value const& value) {
  Moments own;
  if (first >= count) return own;
  double const origin = value(first);
  double sum = 0, squares = 0;
  for (std::int64_t i = first; i < count; i += step) {
    double const apart = value(i) - origin;
    sum += apart;
    squares += apart * apart;
    own.count += 1;
  }
  double const rest = sum / own.count, m2 = squares - rest * sum;
  own.mean = origin + rest;
  own.m2 = m2 > 0 ? m2 : 0;
  return own;
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
      auto const piece = piece_of(layout, i);
      auto const count = (piece.b_end - piece.b_begin) * (piece.d_end - piece.d_begin);
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
