// Reference kernel of sparse_softmax_cross_entropy_gradient: a row at a time.
#pragma once

#include <cmath>

#include "kernels/reference/loop.hpp"
#include "kernels/shapes/labelled_rows.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::sparse_softmax_cross_entropy_gradient>& call) {
  auto const &x = call.inputs[0], &labels = call.inputs[1], &dx = call.outputs[0];
  auto const rows = class_rows(x, call.op.axis);
  bool const clamps = call.op.minimum > 0;
  auto const log_of_clamp = rounded(std::log(call.op.minimum), x.type);
  Number const log_minimum = log_of_clamp, largest_loss = -log_of_clamp;
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    auto const begin = rows.begin(row);
    auto const loss = get<Number>(call.inputs[2], row), log_sum = get<Number>(call.inputs[3], row),
               dloss = get<Number>(call.inputs[4], row);
    auto const label = place_of(get(labels, row), rows.columns);
    bool const clamped = clamps && loss >= largest_loss;
    bool const none = clamped || label < 0;
    for (std::int64_t i = 0; i < rows.columns; ++i) {
      auto const at = begin + i * rows.stride;
      auto const log_p = get<Number>(x, at) - log_sum;
      bool const small = clamps && log_p < log_minimum;
      auto const gradient = dloss * exponential(log_p);
      set(dx, at, none || small ? Number(0) : gradient);
    }
    auto const at = begin + (label < 0 ? 0 : label) * rows.stride;
    auto const difference = (rows.columns > 0 ? get<Number>(dx, at) : Number(0)) - dloss;
    if (!none) set(dx, at, difference);
  }
}

template <class Number>
Implementation sparse_softmax_cross_entropy_gradient_kernel() {
  return loop<Number, operators::sparse_softmax_cross_entropy_gradient, run>();
}

}  // namespace lbann::kernels::reference
