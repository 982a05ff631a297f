// Portable kernel of softmax_gradient: a row for each block of lanes.
#include "kernels/kokkos/folds.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/rows.hpp"
#include "schemas/functions/exp.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct SoftmaxGradient {
  using Value = double;
  static constexpr int folds = 1;

  T const *y, *dy;
  T* dx;
  StridedRows rows;
  T minimum;  ///< entries of y up to it were clamped; below all of them if there is no clamp
  bool logarithm;

  KOKKOS_FUNCTION double part(Lane const& lane, int, double const*) const {
    auto const begin = rows.begin(lane.index);
    T const *const p = y + begin, *const g = dy + begin;
    double total = 0;
    for (std::int64_t i = lane.lane; i < rows.columns; i += lane.lanes) {
      auto const at = i * rows.stride;
      T const weight = logarithm ? T(1) : p[at] <= minimum ? T(0) : p[at];
      total += static_cast<double>(weight * g[at]);
    }
    return total;
  }

  KOKKOS_FUNCTION double combine(int, double a, double b) const { return a + b; }

  KOKKOS_FUNCTION void finish(Lane const& lane, double const* total) const {
    auto const begin = rows.begin(lane.index);
    T const *const p = y + begin, *const g = dy + begin;
    T* const to = dx + begin;
    T const sum = static_cast<T>(*total);
    for (std::int64_t i = lane.lane; i < rows.columns; i += lane.lanes) {
      auto const at = i * rows.stride;
      if (logarithm)
        to[at] = g[at] - functions::exp::value(p[at]) * sum;
      else
        to[at] = p[at] <= minimum ? T(0) : p[at] * (g[at] - sum);
    }
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
              return folds_kernel(
                  rows.rows, lanes_for(rows.columns), static_cast<double>(2 * y.elements()),
                  SoftmaxGradient<T>{y.as<T>(), call.inputs[1].as<T>(), call.outputs[0].as<T>(),
                                     rows, op.minimum > 0 ? static_cast<T>(op.minimum) : T(-1),
                                     op.logarithm});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
