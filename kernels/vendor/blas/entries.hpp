// The standard's entries for products, which every BLAS has. Kokkos Kernels' own gemm allocates in
// each call; what it calls in turn is not for others and moves from version to version.
#pragma once

extern "C" {
void sgemm_(char const* transpose_a, char const* transpose_b, int const* rows, int const* columns,
            int const* inner, float const* alpha, float const* a, int const* leading_a,
            float const* b, int const* leading_b, float const* beta, float* c,
            int const* leading_c);
void dgemm_(char const* transpose_a, char const* transpose_b, int const* rows, int const* columns,
            int const* inner, double const* alpha, double const* a, int const* leading_a,
            double const* b, int const* leading_b, double const* beta, double* c,
            int const* leading_c);
}
