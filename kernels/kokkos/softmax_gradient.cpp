// Portable kernel of softmax_gradient: a row for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/rows.hpp"
#include "schemas/functions/exp.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct SoftmaxGradient {
  T const *y, *dy;
  T* dx;
  StridedRows rows;
  T minimum;  ///< entries of y up to it were clamped; below all of them if there is no clamp
  bool logarithm;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    auto const stride = rows.stride, columns = rows.columns;
    auto const begin = row / stride * columns * stride + row % stride;
    T const *const p = y + begin, *const g = dy + begin;
    T* const to = dx + begin;
    double total = 0;
    for (std::int64_t i = 0; i < columns * stride; i += stride) {
      T const weight = logarithm ? T(1) : p[i] <= minimum ? T(0) : p[i];
      total += static_cast<double>(weight * g[i]);
    }
    T const sum = static_cast<T>(total);
    for (std::int64_t i = 0; i < columns * stride; i += stride)
      if (logarithm)
        to[i] = g[i] - functions::exp::value(p[i]) * sum;
      else
        to[i] = p[i] <= minimum ? T(0) : p[i] * (g[i] - sum);
  }
};

}  // namespace

Implementation softmax_gradient_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::softmax_gradient>(call);
            auto const& y = call.inputs[0];
            auto const rows = strided_rows(y, op.axis, op.inner);
            return with_floating(y.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(
                  rows.rows, static_cast<double>(2 * y.elements()),
                  SoftmaxGradient<T>{y.as<T>(), call.inputs[1].as<T>(), call.outputs[0].as<T>(),
                                     rows, op.minimum > 0 ? static_cast<T>(op.minimum) : T(-1),
                                     op.logarithm});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
