// The axes of a permuted tensor, axes that stay neighbours merged into one.
#pragma once

#include <span>

#include "kernels/kernel.hpp"
#include "kernels/shapes/division.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::kernels {

/// Axes of the output in its order, at least one. Axes of extent 1 are dropped, and axes that
/// follow each other in the input as well as in the output are merged.
struct PermutedAxes {
  int rank = 0;
  std::int64_t elements = 1;
  std::int64_t extents[max_rank] = {};
  std::int64_t steps[max_rank] = {};   ///< along each, from one entry to the next in the input
  std::int64_t places[max_rank] = {};  ///< and in the output

  void add(std::int64_t extent, std::int64_t step, std::int64_t place) {
    extents[rank] = extent;
    steps[rank] = step;
    places[rank++] = place;
    elements *= extent;
  }

  /// Offset in the input, or in the output, of entry `index` (in C order) of the first `count`
  /// axes.
  LBANN_FUNCTION std::int64_t source(std::int64_t index, int count) const {
    return offset(index, count, steps);
  }
  LBANN_FUNCTION std::int64_t destination(std::int64_t index, int count) const {
    return offset(index, count, places);
  }

 private:
  LBANN_FUNCTION std::int64_t offset(std::int64_t index, int count,
                                     std::int64_t const* along) const {
    std::int64_t sum = 0;
    for (int axis = count - 1; axis >= 0; --axis) {
      auto const [rest, place] = divide(index, extents[axis]);
      sum += place * along[axis];
      index = rest;
    }
    return sum;
  }
};

inline PermutedAxes permuted_axes(View const& x, std::span<std::int64_t const> order) {
  std::int64_t steps[max_rank] = {};
  std::int64_t step = 1;
  for (std::size_t axis = x.rank; axis-- > 0; step *= x.extents[axis]) steps[axis] = step;
  PermutedAxes axes;
  for (auto const from : order) {
    auto const axis = static_cast<std::size_t>(from);
    auto const extent = x.extents[axis];
    if (extent == 1) continue;
    bool const follows = axes.rank > 0 && axes.steps[axes.rank - 1] == extent * steps[axis];
    if (follows) {
      axes.extents[axes.rank - 1] *= extent;
      axes.steps[axes.rank - 1] = steps[axis];
      axes.elements *= extent;
    } else {
      axes.add(extent, steps[axis], 0);
    }
  }
  if (axes.rank == 0) axes.add(1, 1, 1);
  std::int64_t place = 1;
  for (int axis = axes.rank; axis-- > 0; place *= axes.extents[axis]) axes.places[axis] = place;
  return axes;
}

}  // namespace lbann::kernels
