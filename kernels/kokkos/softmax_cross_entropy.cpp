// Portable kernel of softmax_cross_entropy: a row for each block of lanes.
#include <cmath>
#include <limits>

#include "kernels/kokkos/folds.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/rows.hpp"
#include "schemas/functions/exp.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct SoftmaxCrossEntropy {
  using Value = double;
  static constexpr int folds = 3;

  T const *x, *t;
  T *p, *loss;
  std::int64_t columns;
  T minimum, log_minimum;

  KOKKOS_FUNCTION double part(Lane const& lane, int fold, double const* before) const {
    T const* const scores = x + lane.index * columns;
    if (fold == 0) {
      T largest = -std::numeric_limits<T>::infinity();
      for (std::int64_t i = lane.lane; i < columns; i += lane.lanes)
        largest = scores[i] > largest ? scores[i] : largest;
      return static_cast<double>(largest);
    }
    T const largest = static_cast<T>(before[0]);
    T* const to = p + lane.index * columns;
    double sum = 0;
    for (std::int64_t i = lane.lane; i < columns; i += lane.lanes)
      sum += fold == 1 ? exponential(scores[i] - largest, to[i])
                       : entropy(lane, i, largest, static_cast<T>(before[1]));
    return sum;
  }

  KOKKOS_FUNCTION double combine(int fold, double a, double b) const {
    if (fold == 0) return b > a ? b : a;
    return a + b;
  }

  KOKKOS_FUNCTION void finish(Lane const& lane, double const* results) const {
    if (lane.lane == 0) loss[lane.index] = -static_cast<T>(results[2]);
  }

 private:
  KOKKOS_FUNCTION static double exponential(T score, T& to) {
    to = functions::exp::value(score);
    return static_cast<double>(to);
  }

  /// Writes p of entry `i`, of which its exponential is known, and gives its part of the loss.
  KOKKOS_FUNCTION double entropy(Lane const& lane, std::int64_t i, T largest, T total) const {
    auto const at = lane.index * columns + i;
    T const share = p[at] / total;
    p[at] = share < minimum ? minimum : share;
    T const log_p = (x[at] - largest) - functions::log::value(total);
    T const term = t[at] * (log_p < log_minimum ? log_minimum : log_p);
    // A target of zero wins over a logarithm that is infinite.
    return t[at] == T(0) ? 0 : static_cast<double>(term);
  }
};

}  // namespace

Implementation softmax_cross_entropy_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::softmax_cross_entropy>(call);
            auto const& x = call.inputs[0];
            auto const [rows, columns] = rows_of(x);
            return with_floating(x.type, [&, rows = rows, columns = columns](auto zero) {
              using T = decltype(zero);
              return folds_kernel(rows, lanes_for(columns), static_cast<double>(4 * x.elements()),
                                  SoftmaxCrossEntropy<T>{
                                      x.as<T>(), call.inputs[1].as<T>(), call.outputs[0].as<T>(),
                                      call.outputs[1].as<T>(), columns, static_cast<T>(op.minimum),
                                      static_cast<T>(std::log(op.minimum))});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
