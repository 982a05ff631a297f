// Reference kernel of sparse_softmax_cross_entropy: a row at a time.
#pragma once

#include <cmath>

#include "kernels/reference/softmax.hpp"
#include "kernels/shapes/labelled_rows.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::sparse_softmax_cross_entropy>& call) {
  auto const &x = call.inputs[0], &labels = call.inputs[1];
  auto const rows = class_rows(x, call.op.axis);
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    auto const begin = rows.begin(row);
    auto const largest = largest_of<Number>(x, begin, rows.columns, rows.stride);
    Number sum = 0;
    for (std::int64_t i = 0; i < rows.columns; ++i)
      sum += exponential(get<Number>(x, begin + i * rows.stride) - largest);
    auto const log_sum = logarithm(sum);
    auto const label = place_of(get(labels, row), rows.columns);
    auto const score = label < 0 ? Number(0) : get<Number>(x, begin + label * rows.stride);
    auto loss = (largest - score) + log_sum;
    if (call.op.minimum > 0) loss = smaller(loss, Number(-std::log(call.op.minimum)));
    set(call.outputs[0], row, label < 0 ? Number(0) : loss);
    set(call.outputs[1], row, largest + log_sum);
  }
}

template <class Number>
Implementation sparse_softmax_cross_entropy_kernel() {
  return loop<Number, operators::sparse_softmax_cross_entropy, run>();
}

}  // namespace lbann::kernels::reference
