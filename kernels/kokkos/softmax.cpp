// Portable kernel of softmax: a row for each index.
#include <limits>

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/rows.hpp"
#include "schemas/functions/exp.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Softmax {
  T const* x;
  T* y;
  StridedRows rows;
  T minimum;
  bool logarithm;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    auto const stride = rows.stride, columns = rows.columns;
    auto const begin = row / stride * columns * stride + row % stride;
    T const* const from = x + begin;
    T* const to = y + begin;
    T largest = -std::numeric_limits<T>::infinity();
    for (std::int64_t i = 0; i < columns; ++i)
      largest = from[i * stride] > largest ? from[i * stride] : largest;
    double sum = 0;
    for (std::int64_t i = 0; i < columns; ++i)
      sum += static_cast<double>(functions::exp::value(from[i * stride] - largest));
    T const total = static_cast<T>(sum), shift = functions::log::value(total);
    for (std::int64_t i = 0; i < columns; ++i) {
      T const score = from[i * stride] - largest;
      T const share = functions::exp::value(score) / total;
      to[i * stride] = logarithm ? score - shift : share < minimum ? minimum : share;
    }
  }
};

}  // namespace

Implementation softmax_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::softmax>(call);
            auto const& x = call.inputs[0];
            auto const rows = strided_rows(x, op.axis, op.inner);
            return with_floating(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(rows.rows, static_cast<double>(4 * x.elements()),
                                    Softmax<T>{x.as<T>(), call.outputs[0].as<T>(), rows,
                                               static_cast<T>(op.minimum), op.logarithm});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
