// matmul by cuBLAS, its epilogue by a launch of its own.
#include "kernels/element_types.hpp"
#include "kernels/kokkos/map_engine.hpp"
#include "kernels/map/row_blocks.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/matrix_products.hpp"
#include "kernels/vendor/cublas/multiply.hpp"

namespace lbann::kernels::cublas {

namespace {

using Blocks = RowBlocks<kokkos::MapEngine>;

template <class T>
class Matmul : public Kernel {
 public:
  explicit Matmul(Call const& call)
      : a_(left_factor<T>(call)),
        b_(right_factor<T>(call)),
        extents_(extents_of_product(call)),
        blocks_(operator_of<operators::matmul>(call).epilogue, call, sizeof(ComputeType<T>)) {}

  void run() override {
    blocks_.for_each([&](RowBlock const& block) {
      auto a = a_;
      a.data += block.row * a.row;
      auto extents = extents_;
      extents.rows = block.rows;
      multiply(a, b_, static_cast<ComputeType<T>*>(block.product), extents);
    });
  }

 private:
  StridedMatrix<T> a_, b_;
  ProductExtents extents_;
  Blocks blocks_;
};

bool accepts(Call const& call) {
  return takes(extents_of_product(call)) &&
         stores_product<kokkos::MapEngine>(operator_of<operators::matmul>(call).epilogue, call) &&
         Blocks::fits(call, bytes_of(type_of_product(call)));
}

}  // namespace

Implementation matmul_kernel() {
  return {"cublas", accepts, [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Matmul<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::cublas
