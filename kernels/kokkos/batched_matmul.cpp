// Portable kernel of batched_matmul: an element of the products for each index.
#include "kernels/kokkos/whole_product.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/matrix_products.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// Products that are added in T before the sum goes on in double.
constexpr std::int64_t summed_in_T = 256;

template <class T>
struct PairElements {
  StridedMatrix<T> a, b;
  ComputeType<T>* c;
  std::int64_t rows, inner, columns;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const matrix = index / (rows * columns);
    auto const row = index / columns % rows, column = index % columns;
    T const* const left = a.data + matrix * rows * inner + row * a.row;
    T const* const right = b.data + matrix * inner * columns + column * b.column;
    double total = 0;
    for (std::int64_t begin = 0; begin < inner; begin += summed_in_T) {
      auto const end = begin + summed_in_T < inner ? begin + summed_in_T : inner;
      ComputeType<T> sum = 0;
      for (auto k = begin; k < end; ++k)
        sum +=
            convert<ComputeType<T>>(left[k * a.column]) * convert<ComputeType<T>>(right[k * b.row]);
      total += static_cast<double>(sum);
    }
    c[index] = static_cast<ComputeType<T>>(total);
  }
};

template <class T>
class BatchedMatmul : public Kernel {
 public:
  explicit BatchedMatmul(Call const& call)
      : pairs_(call), product_(operator_of<operators::batched_matmul>(call).epilogue, call) {}

  void run() override {
    auto const elements = pairs_.count * pairs_.rows * pairs_.columns;
    product_.run(elements, static_cast<double>(elements * pairs_.inner),
                 PairElements<T>{pairs_.a, pairs_.b, product_.data(), pairs_.rows, pairs_.inner,
                                 pairs_.columns});
  }

 private:
  MatrixPairs<T> pairs_;
  WholeProduct<T> product_;
};

}  // namespace

Implementation batched_matmul_kernel() {
  return {"kokkos",
          [](Call const& call) {
            auto const& epilogue = operator_of<operators::batched_matmul>(call).epilogue;
            return with_factor_type(call.inputs[0].type, [&](auto zero) {
              return WholeProduct<decltype(zero)>::fits(epilogue, call);
            });
          },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<BatchedMatmul<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::kokkos
