// Portable kernel of softmax_cross_entropy_gradient: rows in parallel.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/rows.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct SoftmaxCrossEntropyGradient {
  T const *p, *t, *dloss;
  T* dx;
  std::int64_t columns;
  T minimum;  ///< entries of p up to it were clamped; below all of them if there is no clamp

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    T const *const y = p + row * columns, *const target = t + row * columns;
    T* const to = dx + row * columns;
    T const low = minimum, scale = dloss[row];
    T const sum = static_cast<T>(lane_sum<T>(columns, [=](std::int64_t i) {
      // Loaded whatever the condition: gcc 12 gets a load under a condition wrong in this loop.
      T const wanted = target[i];
      return y[i] <= low ? T(0) : wanted;
    }));
#pragma omp simd
    for (std::int64_t i = 0; i < columns; ++i) {
      T const gradient = scale * (y[i] * sum - target[i]);
      to[i] = y[i] <= low ? T(0) : gradient;
    }
  }
};

}  // namespace

Implementation softmax_cross_entropy_gradient_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::softmax_cross_entropy_gradient>(call);
            auto const& p = call.inputs[0];
            auto const rows = rows_of(p).rows, columns = rows_of(p).columns;
            return with_floating(p.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(rows, static_cast<double>(rows * columns) * 0.5,
                                    SoftmaxCrossEntropyGradient<T>{
                                        p.as<T>(), call.inputs[1].as<T>(), call.inputs[2].as<T>(),
                                        call.outputs[0].as<T>(), columns,
                                        op.minimum > 0 ? static_cast<T>(op.minimum) : T(-1)});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
