// Products of matrices by cuBLAS, on the device's stream.
#pragma once

#include "kernels/shapes/matrix_products.hpp"

namespace lbann::kernels::cublas {

/// Whether all extents and pitches fit cuBLAS' integers, and none is zero.
bool takes(ProductExtents const& extents, std::int64_t count = 1);

/// Queues products [rows, columns] = a b of `count` pairs, each in memory after the one before, in
/// the precision of T: no TF32. Allocates nothing after the first call.
void multiply(StridedMatrix<float> const& a, StridedMatrix<float> const& b, float* product,
              ProductExtents const& extents, std::int64_t count = 1);
void multiply(StridedMatrix<double> const& a, StridedMatrix<double> const& b, double* product,
              ProductExtents const& extents, std::int64_t count = 1);

}  // namespace lbann::kernels::cublas
