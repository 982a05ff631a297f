// Portable kernel of softmax: rows in parallel, each in vector registers.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/softmax_row.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Softmax {
  T const* x;
  T* y;
  std::int64_t columns;
  T minimum;
  bool logarithm;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    T const* const from = x + row * columns;
    T* const to = y + row * columns;
    if (logarithm) {
      auto const [largest, sum] = exponentials(from, to, columns);
      T const shift = functions::log::value(sum);
#pragma omp simd
      for (std::int64_t i = 0; i < columns; ++i) to[i] = (from[i] - largest) - shift;
    } else {
      auto const [largest, sum] = exponentials(from, to, columns);
      normalise(to, columns, sum, minimum);
    }
  }
};

}  // namespace

Implementation softmax_kernel() {
  return {"kokkos",
          [](Call const& call) {
            auto const& op = operator_of<operators::softmax>(call);
            return one_type(call) && strided_rows(call.inputs[0], op.axis, op.inner).stride == 1;
          },
          [](Call const& call) {
            auto const& op = operator_of<operators::softmax>(call);
            auto const& x = call.inputs[0];
            auto const [rows, columns, stride] = strided_rows(x, op.axis, op.inner);
            return with_floating(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(rows, static_cast<double>(rows * columns),
                                    Softmax<T>{x.as<T>(), call.outputs[0].as<T>(), columns,
                                               static_cast<T>(op.minimum), op.logarithm});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
