// Reference kernel of batched_matmul: matmul's three loops for each pair of matrices.
#pragma once

#include "kernels/reference/epilogue.hpp"
#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number, class T>
class BatchedMatmul : public Kernel {
 public:
  explicit BatchedMatmul(Call const& call)
      : op_(operator_of<operators::batched_matmul>(call)),
        a_(call.inputs[0]),
        b_(call.inputs[1]),
        epilogue_(op_.epilogue, call, 2) {}

  void run() override {
    std::size_t const row = a_.rank - 2u, column = a_.rank - 1u;
    auto const rows = a_.extents[op_.transpose_a ? column : row];
    auto const inner = a_.extents[op_.transpose_a ? row : column];
    auto const columns = b_.extents[op_.transpose_b ? row : column];
    std::int64_t count = 1;
    for (std::size_t axis = 0; axis < row; ++axis) count *= a_.extents[axis];
    for (std::int64_t n = 0; n < count; ++n) {
      T const* const first = a_.as<T>() + n * rows * inner;
      T const* const second = b_.as<T>() + n * inner * columns;
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
          Number sum = 0;
          for (std::int64_t k = 0; k < inner; ++k)
            sum +=
                Number(convert<double>(first[op_.transpose_a ? k * rows + i : i * inner + k])) *
                Number(convert<double>(second[op_.transpose_b ? j * inner + k : k * columns + j]));
          epilogue_.finish((n * rows + i) * columns + j, sum);
        }
    }
  }

 private:
  operators::batched_matmul op_;
  View a_, b_;
  Epilogue<Number> epilogue_;
};

template <class Number>
Implementation batched_matmul_kernel() {
  return product_kernel<Number, BatchedMatmul>();
}

}  // namespace lbann::kernels::reference
