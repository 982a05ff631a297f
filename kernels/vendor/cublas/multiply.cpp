// cuBLAS stores matrices by columns: a product in C order is that of the transposed factors in
// reverse order.
#include "kernels/vendor/cublas/multiply.hpp"

#include <cublas_v2.h>

#include <algorithm>
#include <limits>
#include <string>

#include "kernels/device/cuda.hpp"
#include "kernels/device/device.hpp"

namespace lbann::kernels::cublas {

namespace {

void check(cublasStatus_t status, char const* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    device::fail("the CUDA device failed in " + std::string(call) + ": " +
                 cublasGetStatusString(status));
}

/// The library with memory of its own, since it may not allocate any while it is recorded: 32 MiB,
/// as it asks for on Hopper.
cublasHandle_t handle() {
  static cublasHandle_t const opened = [] {
    cublasHandle_t fresh = nullptr;
    check(cublasCreate(&fresh), "cublasCreate");
    check(cublasSetStream(fresh, device::stream()), "cublasSetStream");
    constexpr std::int64_t bytes = std::int64_t{32} << 20;
    // Lives as long as the process, whose end returns it.
    auto* const workspace = device::allocate(bytes).release();
    check(cublasSetWorkspace(fresh, workspace, workspace == nullptr ? 0 : bytes),
          "cublasSetWorkspace");
    return fresh;
  }();
  return opened;
}

/// A factor [rows, columns] as cuBLAS reads it: its pitch, and whether that is of the transposed.
/// A pitch is checked even where there is only one row to find.
template <class T>
struct Factor {
  cublasOperation_t operation;
  int pitch;
  Factor(StridedMatrix<T> const& matrix, std::int64_t rows, std::int64_t columns)
      : operation(matrix.column == 1 ? CUBLAS_OP_N : CUBLAS_OP_T),
        pitch(static_cast<int>(matrix.column == 1 ? std::max(matrix.row, columns)
                                                  : std::max(matrix.column, rows))) {}
};

template <class T, class Gemm>
void multiply_by(Gemm gemm, char const* name, StridedMatrix<T> const& a, StridedMatrix<T> const& b,
                 T* product, ProductExtents const& extents, std::int64_t count) {
  T const one = 1, zero = 0;
  auto const [rows, inner, columns] = extents;
  Factor<T> const left(a, rows, inner), right(b, inner, columns);
  check(gemm(handle(), right.operation, left.operation, static_cast<int>(columns),
             static_cast<int>(rows), static_cast<int>(inner), &one, b.data, right.pitch,
             inner * columns, a.data, left.pitch, rows * inner, &zero, product,
             static_cast<int>(columns), rows * columns, static_cast<int>(count)),
        name);
}

}  // namespace

bool takes(ProductExtents const& extents, std::int64_t count) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  for (auto const extent : {extents.rows, extents.inner, extents.columns, count})
    if (extent <= 0 || extent > most) return false;
  return true;
}

void multiply(StridedMatrix<float> const& a, StridedMatrix<float> const& b, float* product,
              ProductExtents const& extents, std::int64_t count) {
  multiply_by(&cublasSgemmStridedBatched, "cublasSgemmStridedBatched", a, b, product, extents,
              count);
}

void multiply(StridedMatrix<double> const& a, StridedMatrix<double> const& b, double* product,
              ProductExtents const& extents, std::int64_t count) {
  multiply_by(&cublasDgemmStridedBatched, "cublasDgemmStridedBatched", a, b, product, extents,
              count);
}

}  // namespace lbann::kernels::cublas
