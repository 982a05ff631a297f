// Calls cuBLAS on the device's stream.
#include "kernels/vendor/cublas/gemm.hpp"

#include <cublas_v2.h>

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
    check(cublasSetMathMode(
              fresh, device::tf32_is_allowed() ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH),
          "cublasSetMathMode");
    constexpr std::int64_t bytes = std::int64_t{32} << 20;
    // Lives as long as the process, whose end returns it.
    auto* const workspace = device::allocate(bytes).release();
    check(cublasSetWorkspace(fresh, workspace, workspace == nullptr ? 0 : bytes),
          "cublasSetWorkspace");
    return fresh;
  }();
  return opened;
}

cublasOperation_t operation(GemmFactor const& factor) {
  return factor.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

template <class T, class Call>
void queue_by(Call call, char const* name, Gemm const& gemm, T const* a, T const* b, T* product) {
  T const one = 1, zero = 0;
  check(call(handle(), operation(gemm.a), operation(gemm.b), gemm.rows, gemm.columns, gemm.inner,
             &one, a, gemm.a.pitch, gemm.a.step, b, gemm.b.pitch, gemm.b.step, &zero, product,
             gemm.pitch, gemm.step, gemm.count),
        name);
}

template <class T>
void queue_sixteen_bit(Gemm const& gemm, T const* a, T const* b, float* product) {
  constexpr auto type = std::is_same_v<T, BFloat16> ? CUDA_R_16BF : CUDA_R_16F;
  float const one = 1, zero = 0;
  check(cublasGemmStridedBatchedEx(handle(), operation(gemm.a), operation(gemm.b), gemm.rows,
                                   gemm.columns, gemm.inner, &one, a, type, gemm.a.pitch,
                                   gemm.a.step, b, type, gemm.b.pitch, gemm.b.step, &zero, product,
                                   CUDA_R_32F, gemm.pitch, gemm.step, gemm.count,
                                   CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        "cublasGemmStridedBatchedEx");
}

}  // namespace

void queue(Gemm const& gemm, float const* a, float const* b, float* product) {
  queue_by(&cublasSgemmStridedBatched, "cublasSgemmStridedBatched", gemm, a, b, product);
}

void queue(Gemm const& gemm, double const* a, double const* b, double* product) {
  queue_by(&cublasDgemmStridedBatched, "cublasDgemmStridedBatched", gemm, a, b, product);
}

void queue(Gemm const& gemm, BFloat16 const* a, BFloat16 const* b, float* product) {
  queue_sixteen_bit(gemm, a, b, product);
}

void queue(Gemm const& gemm, Float16 const* a, Float16 const* b, float* product) {
  queue_sixteen_bit(gemm, a, b, product);
}

}  // namespace lbann::kernels::cublas
