// What softmax and cross entropy of labels fold each row to: its largest score, then the sum of
// exponentials.
#pragma once

#include <limits>

#include "kernels/kokkos/folds.hpp"
#include "kernels/shapes/rows.hpp"
#include "schemas/functions/exp.hpp"

namespace lbann::kernels::kokkos {

/// Both of a row, for `launch_folds`; `finish` is up to who derives from it.
template <class T>
struct SoftmaxFolds {
  using Value = double;
  static constexpr int folds = 2;

  T const* x;
  StridedRows rows;

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
};

}  // namespace lbann::kernels::kokkos
