// Reference kernel of matmul: three loops, sums in double.
#pragma once

#include "kernels/reference/epilogue.hpp"
#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number, class T>
class Matmul : public Kernel {
 public:
  explicit Matmul(Call const& call)
      : op_(operator_of<operators::matmul>(call)),
        a_(call.inputs[0]),
        b_(call.inputs[1]),
        epilogue_(op_.epilogue, call, 2) {}

  void run() override {
    auto const rows = a_.extents[op_.transpose_a ? 1 : 0];
    auto const inner = a_.extents[op_.transpose_a ? 0 : 1];
    auto const columns = b_.extents[op_.transpose_b ? 0 : 1];
    auto a = [&](std::int64_t i, std::int64_t k) {
      return Number(convert<double>(a_.as<T>()[op_.transpose_a ? k * rows + i : i * inner + k]));
    };
    auto b = [&](std::int64_t k, std::int64_t j) {
      return Number(convert<double>(b_.as<T>()[op_.transpose_b ? j * inner + k : k * columns + j]));
    };
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        Number sum = 0;
        for (std::int64_t k = 0; k < inner; ++k) sum += a(i, k) * b(k, j);
        epilogue_.finish(i * columns + j, sum);
      }
  }

 private:
  operators::matmul op_;
  View a_, b_;
  Epilogue<Number> epilogue_;
};

template <class Number>
Implementation matmul_kernel() {
  return product_kernel<Number, Matmul>();
}

}  // namespace lbann::kernels::reference
