// Reference kernel of argmax: the first of the largest entries of each sample.
#pragma once

#include <algorithm>

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::argmax>& call) {
  auto const& x = call.inputs[0];
  auto const [rows, columns] = rows_of(x);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t best = -1;
    for (std::int64_t i = 0; i < columns; ++i) {
      auto const value = get<Number>(x, row * columns + i);
      // NaN is never the largest.
      if (best < 0 ? value == value : value > get<Number>(x, row * columns + best)) best = i;
    }
    set(call.outputs[0], row, std::max<std::int64_t>(best, 0));
  }
}

template <class Number>
Implementation argmax_kernel() {
  return loop<Number, operators::argmax, run>();
}

}  // namespace lbann::kernels::reference
