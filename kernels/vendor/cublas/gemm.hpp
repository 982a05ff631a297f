// The one call of cuBLAS, which stores matrices by columns.
#pragma once

#include <cstdint>

#include "kernels/conversion.hpp"

namespace lbann::kernels::cublas {

/// A factor: whether it is transposed, elements from one of its columns to the next as it is
/// stored, and from the factor of one product to that of the next.
struct GemmFactor {
  bool transposed;
  int pitch;
  std::int64_t step;
};

/// `count` products [rows, columns] = a b over `inner`; as for the factors, the pitch and step of
/// the products.
struct Gemm {
  int rows, columns, inner;
  GemmFactor a, b;
  int pitch;
  std::int64_t step;
  int count;
};

/// Queues the products, in the precision of the factors, or in TF32 where that is allowed; those of
/// factors of 16 bits, which f32 holds exactly, are added up in f32.
void queue(Gemm const& gemm, float const* a, float const* b, float* product);
void queue(Gemm const& gemm, double const* a, double const* b, double* product);
void queue(Gemm const& gemm, BFloat16 const* a, BFloat16 const* b, float* product);
void queue(Gemm const& gemm, Float16 const* a, Float16 const* b, float* product);

}  // namespace lbann::kernels::cublas
