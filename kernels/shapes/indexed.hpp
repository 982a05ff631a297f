// Extents of gather and scatter, and the entries that indices name.
#pragma once

#include "kernels/kernel.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::kernels {

/// Extents of the whole (values of gather, output of scatter) [batch, outer, count, inner], of the
/// indices [batch, picks], and so of the entries named [batch, outer, picks, inner].
struct Indexed {
  std::int64_t batch = 1, outer = 1, count = 0, picks = 1, inner = 1;
};

inline Indexed indexed_of(View const& whole, View const& indices, std::int64_t axis,
                          std::int64_t batch_axes) {
  Indexed extents;
  for (std::int64_t i = 0; i < whole.rank; ++i) {
    auto const extent = whole.extents[static_cast<std::size_t>(i)];
    if (i < batch_axes)
      extents.batch *= extent;
    else if (i < axis)
      extents.outer *= extent;
    else if (i > axis)
      extents.inner *= extent;
    else
      extents.count = extent;
  }
  for (auto i = batch_axes; i < indices.rank; ++i)
    extents.picks *= indices.extents[static_cast<std::size_t>(i)];
  return extents;
}

/// The place in [0, count) that `index` rounded down names, or -1.
template <class Index>
LBANN_FUNCTION std::int64_t place_of(Index index, std::int64_t count) {
  // Compared in double, which represents every possible count; false for NaN. Without branches, so
  // that loops over indices vectorise.
  auto const value = static_cast<double>(index);
  bool const inside = (value >= 0) & (value < static_cast<double>(count));
  auto const place = static_cast<std::int64_t>(inside ? index : Index(0));
  return inside ? place : -1;
}

}  // namespace lbann::kernels
