// Portable kernel of matmul: an element of the product for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/map_engine.hpp"
#include "kernels/map/row_blocks.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/matrix_products.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// Products that are added in T before the sum goes on in double.
constexpr std::int64_t summed_in_T = 256;

template <class T>
struct ProductElements {
  StridedMatrix<T> a, b;
  ComputeType<T>* c;
  std::int64_t inner, columns;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const row = index / columns, column = index % columns;
    double total = 0;
    for (std::int64_t begin = 0; begin < inner; begin += summed_in_T) {
      auto const end = begin + summed_in_T < inner ? begin + summed_in_T : inner;
      ComputeType<T> sum = 0;
      for (auto k = begin; k < end; ++k)
        sum += convert<ComputeType<T>>(a.data[row * a.row + k * a.column]) *
               convert<ComputeType<T>>(b.data[k * b.row + column * b.column]);
      total += static_cast<double>(sum);
    }
    c[index] = static_cast<ComputeType<T>>(total);
  }
};

template <class T>
class Matmul : public Kernel {
 public:
  explicit Matmul(Call const& call)
      : a_(left_factor<T>(call)),
        b_(right_factor<T>(call)),
        blocks_(operator_of<operators::matmul>(call).epilogue, call, sizeof(ComputeType<T>)),
        inner_(extents_of_product(call).inner) {}

  void run() override {
    blocks_.for_each([&](RowBlock const& block) {
      auto a = a_;
      a.data += block.row * a.row;
      auto const elements = block.rows * blocks_.columns();
      launch(elements, static_cast<double>(elements * inner_),
             ProductElements<T>{a, b_, static_cast<ComputeType<T>*>(block.product), inner_,
                                blocks_.columns()});
    });
  }

 private:
  StridedMatrix<T> a_, b_;
  RowBlocks<MapEngine> blocks_;
  std::int64_t inner_;
};

}  // namespace

Implementation matmul_kernel() {
  return {"kokkos",
          [](Call const& call) {
            return stores_product<MapEngine>(operator_of<operators::matmul>(call).epilogue, call) &&
                   RowBlocks<MapEngine>::fits(call, bytes_of(type_of_product(call)));
          },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Matmul<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::kokkos
