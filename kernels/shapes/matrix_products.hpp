// Factors and extents of matrix products: matmul and batched_matmul.
#pragma once

#include "kernels/kernel.hpp"

namespace lbann::kernels {

/// A matrix at any strides, one of which is 1: stored in C order or transposed.
template <class T>
struct StridedMatrix {
  T const* data;
  std::int64_t row, column;  ///< elements from one row, or column, to the next

  T const* at(std::int64_t i, std::int64_t j) const { return data + i * row + j * column; }
};

/// Matrices of `pitch` stored columns, as the product uses them.
template <class T>
StridedMatrix<T> matrix_of(T const* data, std::int64_t pitch, bool transposed) {
  return transposed ? StridedMatrix<T>{data, 1, pitch} : StridedMatrix<T>{data, pitch, 1};
}

/// A product [rows, inner] x [inner, columns].
struct ProductExtents {
  std::int64_t rows, inner, columns;
};

/// Of a call of matmul.
inline ProductExtents extents_of_product(Call const& call) {
  auto const& op = operator_of<operators::matmul>(call);
  auto const &a = call.inputs[0].extents, &b = call.inputs[1].extents;
  return {a[op.transpose_a ? 1 : 0], a[op.transpose_a ? 0 : 1], b[op.transpose_b ? 0 : 1]};
}

template <class T>
StridedMatrix<T> left_factor(Call const& call) {
  auto const& view = call.inputs[0];
  return matrix_of(view.as<T const>(), view.extents[1],
                   operator_of<operators::matmul>(call).transpose_a);
}

template <class T>
StridedMatrix<T> right_factor(Call const& call) {
  auto const& view = call.inputs[1];
  return matrix_of(view.as<T const>(), view.extents[1],
                   operator_of<operators::matmul>(call).transpose_b);
}

/// The products of a call of batched_matmul: pairs of matrices, one after the other in memory.
template <class T>
struct MatrixPairs {
  std::int64_t count = 1;
  std::int64_t rows, inner, columns;  ///< of each product
  StridedMatrix<T> a, b;              ///< factors of the first pair

  explicit MatrixPairs(Call const& call) {
    auto const& op = operator_of<operators::batched_matmul>(call);
    auto const &first = call.inputs[0], &second = call.inputs[1];
    std::size_t const row = first.rank - 2u, column = first.rank - 1u;
    for (std::size_t axis = 0; axis < row; ++axis) count *= first.extents[axis];
    a = matrix_of(first.as<T const>(), first.extents[column], op.transpose_a);
    b = matrix_of(second.as<T const>(), second.extents[column], op.transpose_b);
    rows = first.extents[op.transpose_a ? column : row];
    inner = first.extents[op.transpose_a ? row : column];
    columns = second.extents[op.transpose_b ? row : column];
  }
};

}  // namespace lbann::kernels
