// Portable kernel of sparse_softmax_cross_entropy_gradient: an element for each index.
#include <cmath>

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/shapes/labelled_rows.hpp"
#include "schemas/functions/exp.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T, class Index>
struct SparseSoftmaxCrossEntropyGradient {
  T const* x;
  Index const* labels;
  T const *loss, *log_sum, *dloss;
  T* dx;
  StridedRows rows;
  T log_minimum;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const [line, position] = divide(index, rows.stride);
    auto const [outer, column] = divide(line, rows.columns);
    auto const row = outer * rows.stride + position;
    auto const label = trained_class(labels[row], rows.columns, loss[row], -log_minimum);
    T const log_p = x[index] - log_sum[row], scale = dloss[row];
    T const share = log_p < log_minimum ? T(0) : scale * functions::exp::value(log_p);
    T const gradient = column == label ? share - scale : share;
    dx[index] = label < 0 ? T(0) : gradient;
  }
};

}  // namespace

Implementation sparse_softmax_cross_entropy_gradient_kernel() {
  return {"kokkos", takes_labelled_rows, [](Call const& call) {
            auto const& op = operator_of<operators::sparse_softmax_cross_entropy_gradient>(call);
            auto const &x = call.inputs[0], &labels = call.inputs[1];
            auto const rows = class_rows(x, op.axis);
            return with_floating(x.type, [&](auto zero) {
              return with_index_type(labels.type, [&](auto index) {
                using T = decltype(zero);
                using Index = decltype(index);
                return functor_kernel(
                    x.elements(), static_cast<double>(2 * x.elements()),
                    SparseSoftmaxCrossEntropyGradient<T, Index>{
                        x.as<T>(), labels.as<Index>(), call.inputs[2].as<T>(),
                        call.inputs[3].as<T>(), call.inputs[4].as<T>(), call.outputs[0].as<T>(),
                        rows, static_cast<T>(std::log(op.minimum))});
              });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
