// Portable kernel of softmax_gradient: rows in parallel.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/functions/exp.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct SoftmaxGradient {
  T const *y, *dy;
  T* dx;
  std::int64_t columns;
  T minimum;  ///< entries of y up to it were clamped; below all of them if there is no clamp
  bool logarithm;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    T const *const p = y + row * columns, *const g = dy + row * columns;
    T* const to = dx + row * columns;
    if (logarithm) {
      T const sum = static_cast<T>(lane_sum<T>(columns, [=](std::int64_t i) { return g[i]; }));
#pragma omp simd
      for (std::int64_t i = 0; i < columns; ++i) to[i] = g[i] - functions::exp::value(p[i]) * sum;
      return;
    }
    T const low = minimum;
    T const sum = static_cast<T>(lane_sum<T>(columns, [=](std::int64_t i) {
      T const product = p[i] * g[i];
      return p[i] <= low ? T(0) : product;
    }));
#pragma omp simd
    for (std::int64_t i = 0; i < columns; ++i) {
      T const gradient = p[i] * (g[i] - sum);
      to[i] = p[i] <= low ? T(0) : gradient;
    }
  }
};

}  // namespace

Implementation softmax_gradient_kernel() {
  return {"kokkos",
          [](Call const& call) {
            auto const& op = operator_of<operators::softmax_gradient>(call);
            return one_type(call) && strided_rows(call.inputs[0], op.axis, op.inner).stride == 1;
          },
          [](Call const& call) {
            auto const& op = operator_of<operators::softmax_gradient>(call);
            auto const& y = call.inputs[0];
            auto const [rows, columns, stride] = strided_rows(y, op.axis, op.inner);
            return with_floating(y.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(
                  rows, static_cast<double>(rows * columns) * 0.5,
                  SoftmaxGradient<T>{y.as<T>(), call.inputs[1].as<T>(), call.outputs[0].as<T>(),
                                     columns, op.minimum > 0 ? static_cast<T>(op.minimum) : T(-1),
                                     op.logarithm});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
