// Products of matrices by cuBLAS, on the device's stream.
#pragma once

#include "kernels/conversion.hpp"
#include "kernels/shapes/matrix_products.hpp"
#include "kernels/vendor/cublas/gemm.hpp"

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

/// What cuBLAS is asked for: by columns, a product in C order is that of the transposed factors, b
/// before a.
template <class T>
Gemm gemm_of(StridedMatrix<T> const& a, StridedMatrix<T> const& b, ProductExtents const& extents,
             std::int64_t count, PairSteps const& steps);

/// Queues products [rows, columns] = a b of `count` pairs; the precision is that of `queue` in
/// gemm.hpp. T is f32, f64, bf16 or f16. Allocates nothing after the first call.
template <class T>
void multiply(StridedMatrix<T> const& a, StridedMatrix<T> const& b, ComputeType<T>* product,
              ProductExtents const& extents, std::int64_t count, PairSteps const& steps);

/// The same of pairs that are contiguous.
template <class T>
void multiply(StridedMatrix<T> const& a, StridedMatrix<T> const& b, ComputeType<T>* product,
              ProductExtents const& extents, std::int64_t count = 1) {
  multiply(a, b, product, extents, count, contiguous(extents));
}

}  // namespace lbann::kernels::cublas
