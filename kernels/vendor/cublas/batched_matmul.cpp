// batched_matmul by cuBLAS: all pairs in one call.
#include "kernels/element_types.hpp"
#include "kernels/kokkos/whole_product.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/vendor/cublas/multiply.hpp"

namespace lbann::kernels::cublas {

namespace {

template <class T>
ProductExtents extents_of(MatrixPairs<T> const& pairs) {
  return {pairs.rows, pairs.inner, pairs.columns};
}

template <class T>
class BatchedMatmul : public Kernel {
 public:
  explicit BatchedMatmul(Call const& call)
      : pairs_(call), product_(operator_of<operators::batched_matmul>(call).epilogue, call) {}

  void run() override {
    multiply(pairs_.a, pairs_.b, product_.data(), extents_of(pairs_), pairs_.count);
    product_.finish();
  }

 private:
  MatrixPairs<T> pairs_;
  kokkos::WholeProduct<T> product_;
};

}  // namespace

Implementation batched_matmul_kernel() {
  return {"cublas",
          [](Call const& call) {
            auto const& epilogue = operator_of<operators::batched_matmul>(call).epilogue;
            return with_factor_type(call.inputs[0].type, [&](auto zero) {
              using T = decltype(zero);
              MatrixPairs<T> const pairs(call);
              return kokkos::WholeProduct<T>::fits(epilogue, call) &&
                     takes(extents_of(pairs), pairs.count);
            });
          },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<BatchedMatmul<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cublas
