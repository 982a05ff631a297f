// Portable kernel of softmax: a row for each block of lanes.
#include "kernels/kokkos/softmax_folds.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// The lanes of a row write what follows from the largest score and the sum.
template <class T>
struct Softmax : SoftmaxFolds<T> {
  T* y;
  T minimum;
  bool logarithm;

  KOKKOS_FUNCTION void finish(Lane const& lane, double const* results) const {
    auto const& rows = this->rows;
    auto const begin = rows.begin(lane.index);
    T const* const from = this->x + begin;
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
                                  Softmax<T>{{x.as<T>(), rows},
                                             call.outputs[0].as<T>(),
                                             static_cast<T>(op.minimum),
                                             op.logarithm});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
