// Portable kernel of sparse_softmax_cross_entropy: a row for each block of lanes.
#include <cmath>

#include "kernels/kokkos/softmax_folds.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/labelled_rows.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// One lane of a row writes its loss and its logarithm.
template <class T, class Index>
struct SparseSoftmaxCrossEntropy : SoftmaxFolds<T> {
  Index const* labels;
  T *loss, *log_sum;
  T largest_loss;

  KOKKOS_FUNCTION void finish(Lane const& lane, double const* results) const {
    if (lane.lane != 0) return;
    auto const& rows = this->rows;
    auto const row = lane.index;
    T const largest = static_cast<T>(results[0]);
    T const shift = functions::log::value(static_cast<T>(results[1]));
    auto const label = place_of(labels[row], rows.columns);
    log_sum[row] = largest + shift;
    if (label < 0) {
      loss[row] = T(0);
      return;
    }
    T const value = (largest - this->x[rows.begin(row) + label * rows.stride]) + shift;
    loss[row] = value > largest_loss ? largest_loss : value;
  }
};

}  // namespace

Implementation sparse_softmax_cross_entropy_kernel() {
  return {"kokkos", takes_labelled_rows, [](Call const& call) {
            auto const& op = operator_of<operators::sparse_softmax_cross_entropy>(call);
            auto const &x = call.inputs[0], &labels = call.inputs[1];
            auto const rows = class_rows(x, op.axis);
            return with_floating(x.type, [&](auto zero) {
              return with_index_type(labels.type, [&](auto index) {
                using T = decltype(zero);
                using Index = decltype(index);
                return folds_kernel(
                    rows.rows, lanes_for(rows.columns), static_cast<double>(3 * x.elements()),
                    SparseSoftmaxCrossEntropy<T, Index>{{x.as<T>(), rows},
                                                        labels.as<Index>(),
                                                        call.outputs[0].as<T>(),
                                                        call.outputs[1].as<T>(),
                                                        static_cast<T>(-std::log(op.minimum))});
              });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
