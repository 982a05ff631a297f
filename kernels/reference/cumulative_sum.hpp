// Reference kernel of cumulative_sum: row by row, from the first entry on or from the last.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::cumulative_sum>& call) {
  auto const& x = call.inputs[0];
  auto const columns = x.extents[x.rank - 1u];
  auto const rows = columns == 0 ? 0 : x.elements() / columns;
  for (std::int64_t row = 0; row < rows; ++row) {
    Number sum = 0;
    for (std::int64_t i = 0; i < columns; ++i) {
      auto const at = row * columns + (call.op.reverse ? columns - 1 - i : i);
      sum = sum + get<Number>(x, at);
      set(call.outputs[0], at, sum);
    }
  }
}

template <class Number>
Implementation cumulative_sum_kernel() {
  return loop<Number, operators::cumulative_sum, run>();
}

}  // namespace lbann::kernels::reference
