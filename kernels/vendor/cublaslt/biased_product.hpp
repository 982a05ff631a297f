// The one call of cuBLASLt: a product of matrices to which a bias is added before it is stored.
#pragma once

#include <memory>

#include "kernels/kernel.hpp"
#include "kernels/vendor/cublas/gemm.hpp"

namespace lbann::kernels::cublaslt {

/// product = a b + bias, of one pair; the bias has a number for each row of the product as cuBLAS
/// stores it, which is a column in C order. T: float, bf16 or f16.
template <class T>
struct BiasedProduct {
  cublas::Gemm gemm;
  T const *a, *b;
  float const* bias;
  float* product;
};

/// Queues the product each time that it runs, in f32, or in TF32 where that is allowed. Null if
/// there is no algorithm for it that gives the same bits each time.
std::unique_ptr<Kernel> bind(BiasedProduct<float> const& product);
std::unique_ptr<Kernel> bind(BiasedProduct<BFloat16> const& product);
std::unique_ptr<Kernel> bind(BiasedProduct<Float16> const& product);

}  // namespace lbann::kernels::cublaslt
