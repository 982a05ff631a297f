// Tensors as matrices: rows along the first axis, or along axes in the middle.
#pragma once

#include "kernels/kernel.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::kernels {

struct Rows {
  std::int64_t rows = 0, columns = 1;
};

/// First axis as rows, the others as columns; a scalar is one row of one column.
inline Rows rows_of(View const& view) {
  Rows result{view.rank == 0 ? 1 : view.extents[0], 1};
  for (std::size_t i = 1; i < view.rank; ++i) result.columns *= view.extents[i];
  return result;
}

/// Rows along the axes from `axis` to the last but `inner`, whose entries are `stride` apart: row
/// (outer, position) begins at outer * columns * stride + position.
struct StridedRows {
  std::int64_t rows = 1, columns = 1, stride = 1;

  LBANN_FUNCTION std::int64_t begin(std::int64_t row) const {
    return row / stride * columns * stride + row % stride;
  }
};

inline StridedRows strided_rows(View const& view, std::int64_t axis, std::int64_t inner) {
  StridedRows result;
  for (std::int64_t i = 0; i < view.rank; ++i) {
    auto const extent = view.extents[static_cast<std::size_t>(i)];
    if (i < axis)
      result.rows *= extent;
    else if (i < view.rank - inner)
      result.columns *= extent;
    else
      result.stride *= extent;
  }
  result.rows *= result.stride;
  return result;
}

/// A tensor that is sliced or concatenated along an axis: entry (outer, a, inner) of a piece is
/// entry (outer, begin + a, inner) of the whole tensor.
struct Cut {
  std::int64_t outer = 1, inner = 1, whole = 0;  ///< `whole`: extent of the axis
};

inline Cut cut_of(View const& view, std::int64_t axis) {
  Cut cut;
  for (std::int64_t i = 0; i < view.rank; ++i) {
    auto const extent = view.extents[static_cast<std::size_t>(i)];
    if (i < axis) cut.outer *= extent;
    if (i == axis) cut.whole = extent;
    if (i > axis) cut.inner *= extent;
  }
  return cut;
}

}  // namespace lbann::kernels
