// Calls cuBLASLt on the device's stream.
#include "kernels/vendor/cublaslt/biased_product.hpp"

#include <cublasLt.h>

#include <algorithm>
#include <string>
#include <type_traits>

#include "kernels/device/cuda.hpp"
#include "kernels/device/device.hpp"

namespace lbann::kernels::cublaslt {

namespace {

void check(cublasStatus_t status, char const* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    device::fail("the CUDA device failed in " + std::string(call) + ": " +
                 cublasLtGetStatusString(status));
}

cublasLtHandle_t handle() {
  static cublasLtHandle_t const opened = [] {
    cublasLtHandle_t fresh = nullptr;
    check(cublasLtCreate(&fresh), "cublasLtCreate");
    return fresh;
  }();
  return opened;
}

template <class T>
constexpr cudaDataType_t data_type = std::is_same_v<T, float>      ? CUDA_R_32F
                                     : std::is_same_v<T, BFloat16> ? CUDA_R_16BF
                                                                   : CUDA_R_16F;

/// Owns one of the library's descriptions.
template <auto destroy, class Object>
class Owner {
 public:
  explicit Owner(Object object) : object_(object) {}
  ~Owner() { destroy(object_); }
  Owner(Owner const&) = delete;
  Owner& operator=(Owner const&) = delete;
  Object get() const { return object_; }

 private:
  Object object_;
};
using Layout = Owner<cublasLtMatrixLayoutDestroy, cublasLtMatrixLayout_t>;
using Operation = Owner<cublasLtMatmulDescDestroy, cublasLtMatmulDesc_t>;
using Preference = Owner<cublasLtMatmulPreferenceDestroy, cublasLtMatmulPreference_t>;

/// Of a matrix [rows, columns] as it is used, `transposed` from what is stored.
cublasLtMatrixLayout_t layout(cudaDataType_t type, int rows, int columns, bool transposed,
                              int pitch) {
  cublasLtMatrixLayout_t fresh = nullptr;
  check(cublasLtMatrixLayoutCreate(&fresh, type,
                                   static_cast<std::uint64_t>(transposed ? columns : rows),
                                   static_cast<std::uint64_t>(transposed ? rows : columns), pitch),
        "cublasLtMatrixLayoutCreate");
  return fresh;
}

template <class Value>
void set(Operation const& operation, cublasLtMatmulDescAttributes_t name, Value const& value) {
  check(cublasLtMatmulDescSetAttribute(operation.get(), name, &value, sizeof value),
        "cublasLtMatmulDescSetAttribute");
}

cublasLtMatmulDesc_t operation_in_f32() {
  cublasLtMatmulDesc_t fresh = nullptr;
  check(cublasLtMatmulDescCreate(
            &fresh, device::tf32_is_allowed() ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
            CUDA_R_32F),
        "cublasLtMatmulDescCreate");
  return fresh;
}

template <class Value>
void set(Preference const& preference, cublasLtMatmulPreferenceAttributes_t name,
         Value const& value) {
  check(cublasLtMatmulPreferenceSetAttribute(preference.get(), name, &value, sizeof value),
        "cublasLtMatmulPreferenceSetAttribute");
}

cublasLtMatmulPreference_t any_preference() {
  cublasLtMatmulPreference_t fresh = nullptr;
  check(cublasLtMatmulPreferenceCreate(&fresh), "cublasLtMatmulPreferenceCreate");
  return fresh;
}

std::uint32_t alignment(void const* data) {
  auto const bits = reinterpret_cast<std::uintptr_t>(data) | 256U;
  return static_cast<std::uint32_t>(bits & -bits);
}

template <class T>
class Product : public Kernel {
 public:
  explicit Product(BiasedProduct<T> const& of)
      : of_(of),
        operation_(operation_in_f32()),
        a_(layout(data_type<T>, of.gemm.rows, of.gemm.inner, of.gemm.a.transposed,
                  of.gemm.a.pitch)),
        b_(layout(data_type<T>, of.gemm.inner, of.gemm.columns, of.gemm.b.transposed,
                  of.gemm.b.pitch)),
        product_(layout(CUDA_R_32F, of.gemm.rows, of.gemm.columns, false, of.gemm.pitch)) {
    set(operation_, CUBLASLT_MATMUL_DESC_TRANSA, of.gemm.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(operation_, CUBLASLT_MATMUL_DESC_TRANSB, of.gemm.b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(operation_, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    set(operation_, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void const*>(of.bias));
    set(operation_, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, CUDA_R_32F);
  }

  /// Takes the algorithm that the library expects to be the fastest; whether there is one.
  bool choose() {
    constexpr std::size_t most_workspace = std::size_t{32} << 20;
    Preference const preference(any_preference());
    set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, most_workspace);
    // Parts of a sum are added up in f32 from the workspace, in a step of its own. In the product's
    // place they would be added one after the other, in an order that is not promised.
    set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
        static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment(of_.a));
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment(of_.b));
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment(of_.product));
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment(of_.product));
    cublasLtMatmulHeuristicResult_t found = {};
    int count = 0;
    auto const status = cublasLtMatmulAlgoGetHeuristic(handle(), operation_.get(), a_.get(),
                                                       b_.get(), product_.get(), product_.get(),
                                                       preference.get(), 1, &found, &count);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED || count == 0) return false;
    check(status, "cublasLtMatmulAlgoGetHeuristic");
    algorithm_ = found.algo;
    bytes_ = found.workspaceSize;
    workspace_ = device::workspace(bytes_, "a product");
    return true;
  }

  void run() override {
    float const one = 1, zero = 0;
    check(cublasLtMatmul(handle(), operation_.get(), &one, of_.a, a_.get(), of_.b, b_.get(), &zero,
                         of_.product, product_.get(), of_.product, product_.get(), &algorithm_,
                         workspace_, bytes_, device::stream()),
          "cublasLtMatmul");
  }

 private:
  BiasedProduct<T> of_;
  Operation operation_;
  Layout a_, b_, product_;
  cublasLtMatmulAlgo_t algorithm_{};
  std::size_t bytes_ = 0;
  std::byte* workspace_ = nullptr;
};

template <class T>
std::unique_ptr<Kernel> bind_any(BiasedProduct<T> const& of) {
  auto product = std::make_unique<Product<T>>(of);
  if (!product->choose()) return nullptr;
  return product;
}

}  // namespace

std::unique_ptr<Kernel> bind(BiasedProduct<float> const& product) { return bind_any(product); }
std::unique_ptr<Kernel> bind(BiasedProduct<BFloat16> const& product) { return bind_any(product); }
std::unique_ptr<Kernel> bind(BiasedProduct<Float16> const& product) { return bind_any(product); }

}  // namespace lbann::kernels::cublaslt
