// Portable kernel of softmax_cross_entropy: a row for each index.
#include <cmath>
#include <limits>

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/rows.hpp"
#include "schemas/functions/exp.hpp"
#include "schemas/functions/log.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct SoftmaxCrossEntropy {
  T const *x, *t;
  T *p, *loss;
  std::int64_t columns;
  T minimum, log_minimum;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    T const *const scores = x + row * columns, *const target = t + row * columns;
    T* const to = p + row * columns;
    T largest = -std::numeric_limits<T>::infinity();
    for (std::int64_t i = 0; i < columns; ++i) largest = scores[i] > largest ? scores[i] : largest;
    double sum = 0;
    for (std::int64_t i = 0; i < columns; ++i) {
      to[i] = functions::exp::value(scores[i] - largest);
      sum += static_cast<double>(to[i]);
    }
    T const total = static_cast<T>(sum), shift = functions::log::value(total);
    double entropy = 0;
    for (std::int64_t i = 0; i < columns; ++i) {
      T const share = to[i] / total;
      to[i] = share < minimum ? minimum : share;
      T const log_p = (scores[i] - largest) - shift;
      T const term = target[i] * (log_p < log_minimum ? log_minimum : log_p);
      // A target of zero wins over a logarithm that is infinite.
      entropy += target[i] == T(0) ? 0 : static_cast<double>(term);
    }
    loss[row] = -static_cast<T>(entropy);
  }
};

}  // namespace

Implementation softmax_cross_entropy_kernel() {
  return {
      "kokkos", one_type, [](Call const& call) {
        auto const& op = operator_of<operators::softmax_cross_entropy>(call);
        auto const& x = call.inputs[0];
        auto const [rows, columns] = rows_of(x);
        return with_floating(x.type, [&, rows = rows, columns = columns](auto zero) {
          using T = decltype(zero);
          return functor_kernel(
              rows, static_cast<double>(4 * x.elements()),
              SoftmaxCrossEntropy<T>{x.as<T>(), call.inputs[1].as<T>(), call.outputs[0].as<T>(),
                                     call.outputs[1].as<T>(), columns, static_cast<T>(op.minimum),
                                     static_cast<T>(std::log(op.minimum))});
        });
      }};
}

}  // namespace lbann::kernels::kokkos
