// Reference kernel of softmax_cross_entropy: a row at a time, logarithms never of a small number.
#pragma once

#include <cmath>

#include "kernels/reference/softmax.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::softmax_cross_entropy>& call) {
  auto const &x = call.inputs[0], &t = call.inputs[1], &p = call.outputs[0],
             &loss = call.outputs[1];
  auto const [rows, columns] = rows_of(x);
  auto const minimum = call.op.minimum;
  for (std::int64_t row = 0; row < rows; ++row) {
    auto const begin = row * columns;
    auto const largest = largest_of<Number>(x, begin, columns);
    Number sum = 0, total = 0;
    for (std::int64_t i = 0; i < columns; ++i) {
      auto& power = call.row[static_cast<std::size_t>(i)];
      power = exponential(get<Number>(x, begin + i) - largest);
      sum += power;
    }
    auto const log_sum = logarithm(sum);
    for (std::int64_t i = 0; i < columns; ++i) {
      auto share = call.row[static_cast<std::size_t>(i)] / sum;
      auto log_share = get<Number>(x, begin + i) - largest - log_sum;
      if (minimum > 0) {
        share = larger(share, Number(minimum));
        log_share = larger(log_share, Number(std::log(minimum)));
      }
      set(p, begin + i, share);
      // A class that is not expected adds nothing, even where its logarithm is infinite.
      auto const expected = get<Number>(t, begin + i);
      auto const term = expected * log_share;
      total -= expected != Number(0) ? term : Number(0);
    }
    set(loss, row, total);
  }
}

template <class Number>
Implementation softmax_cross_entropy_kernel() {
  return loop<Number, operators::softmax_cross_entropy, run>();
}

}  // namespace lbann::kernels::reference
