// Portable kernel of softmax: a row for each block of lanes.
#include <limits>

#include "kernels/kokkos/folds.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/rows.hpp"
#include "schemas/functions/exp.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// The lanes of a row find its largest entry, then the sum, then write.
template <class T>
struct Softmax {
  using Value = double;
  static constexpr int folds = 2;

  T const* x;
  T* y;
  StridedRows rows;
  T minimum;
  bool logarithm;

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
    auto const begin = rows.begin(lane.index);
    T const* const from = x + begin;
    T* const to = y + begin;
    T const largest = static_cast<T>(results[0]), total = static_cast<T>(results[1]);
    T const shift = functions::log::value(total);
    for (std::int64_t i = lane.lane; i < rows.columns; i += lane.lanes) {
      T const score = from[i * rows.stride] - largest;
      T const share = functions::exp::value(score) / total;
      to[i * rows.stride] = logarithm ? score - shift : share < minimum ? minimum : share;
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
              return folds_kernel(rows.rows, lanes_for(rows.columns),
                                  static_cast<double>(4 * x.elements()),
                                  Softmax<T>{x.as<T>(), call.outputs[0].as<T>(), rows,
                                             static_cast<T>(op.minimum), op.logarithm});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
