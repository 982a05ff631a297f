// Products of matrices by cuBLAS, on the device's stream.
#pragma once

#include "kernels/shapes/matrix_products.hpp"

namespace lbann::kernels::cublas {

/// Whether all extents and pitches fit cuBLAS' integers, and none is zero.
bool takes(ProductExtents const& extents, std::int64_t count = 1);

/// Elements from one pair of factors and its product to the next; 0 where all have the same.
struct PairSteps {
  std::int64_t a, b, product;
};

/// Of pairs of which each lies in memory after the one before.
constexpr PairSteps contiguous(ProductExtents const& extents) {
  return {extents.rows * extents.inner, extents.inner * extents.columns,
          extents.rows * extents.columns};
}

/// Queues products [rows, columns] = a b of `count` pairs in the precision of T, or in TF32
/// where that is allowed. Allocates nothing after the first call.
void multiply(StridedMatrix<float> const& a, StridedMatrix<float> const& b, float* product,
              ProductExtents const& extents, std::int64_t count, PairSteps const& steps);
void multiply(StridedMatrix<double> const& a, StridedMatrix<double> const& b, double* product,
              ProductExtents const& extents, std::int64_t count, PairSteps const& steps);

/// The same of pairs that are contiguous.
template <class T>
void multiply(StridedMatrix<T> const& a, StridedMatrix<T> const& b, T* product,
              ProductExtents const& extents, std::int64_t count = 1) {
  multiply(a, b, product, extents, count, contiguous(extents));
}

}  // namespace lbann::kernels::cublas
