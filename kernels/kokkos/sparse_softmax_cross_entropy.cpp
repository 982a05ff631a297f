// Portable kernel of sparse_softmax_cross_entropy: a row for each block of lanes.
#include <cmath>
#include <limits>

#include "kernels/kokkos/folds.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/labelled_rows.hpp"
#include "schemas/functions/exp.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// The lanes of a row find its largest entry, then the sum of exponentials.
template <class T, class Index>
struct SparseSoftmaxCrossEntropy {
  using Value = double;
  static constexpr int folds = 2;

  T const* x;
  Index const* labels;
  T *loss, *log_sum;
  StridedRows rows;
  T largest_loss;

  KOKKOS_FUNCTION double part(Lane const& lane, int fold, double const* before) const {
    T const* const from = x + rows.begin(lane.index);
    if (fold == 0) {
      T largest = -std::numeric_limits<T>::infinity();
      for (std::int64_t i = lane.lane; i < rows.columns; i += lane.lanes)
        largest = from[i * rows.stride] > largest ? from[i * rows.stride] : largest;
      return static_cast<double>(largest);
    }
    T const largest = static_cast<T>(before[0]);
    double sum = 0;
    for (std::int64_t i = lane.lane; i < rows.columns; i += lane.lanes)
      sum += static_cast<double>(functions::exp::value(from[i * rows.stride] - largest));
    return sum;
  }

  KOKKOS_FUNCTION double combine(int fold, double a, double b) const {
    if (fold == 0) return b > a ? b : a;
    return a + b;
  }

  KOKKOS_FUNCTION void finish(Lane const& lane, double const* results) const {
    if (lane.lane != 0) return;
    auto const row = lane.index;
    T const largest = static_cast<T>(results[0]);
    T const shift = functions::log::value(static_cast<T>(results[1]));
    auto const label = place_of(labels[row], rows.columns);
    log_sum[row] = largest + shift;
    if (label < 0) {
      loss[row] = T(0);
      return;
    }
    T const value = (largest - x[rows.begin(row) + label * rows.stride]) + shift;
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
                    SparseSoftmaxCrossEntropy<T, Index>{
                        x.as<T>(), labels.as<Index>(), call.outputs[0].as<T>(),
                        call.outputs[1].as<T>(), rows, static_cast<T>(-std::log(op.minimum))});
              });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
