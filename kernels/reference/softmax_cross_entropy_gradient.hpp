// Reference kernel of softmax_cross_entropy_gradient: a row at a time; clamped entries neither give
// nor get.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::softmax_cross_entropy_gradient>& call) {
  auto const &p = call.inputs[0], &t = call.inputs[1], &dloss = call.inputs[2],
             &dx = call.outputs[0];
  auto const [rows, columns] = rows_of(p);
  auto const minimum = rounded(call.op.minimum, p.type);
  for (std::int64_t row = 0; row < rows; ++row) {
    auto const begin = row * columns, end = begin + columns;
    auto const clamped = [&](std::int64_t i) {
      return minimum > 0 && get<Number>(p, i) <= Number(minimum);
    };
    Number sum = 0;
    for (auto i = begin; i < end; ++i) sum += clamped(i) ? Number(0) : get<Number>(t, i);
    for (auto i = begin; i < end; ++i) {
      auto const gradient = get<Number>(dloss, row) * (get<Number>(p, i) * sum - get<Number>(t, i));
      set(dx, i, clamped(i) ? Number(0) : gradient);
    }
  }
}

template <class Number>
Implementation softmax_cross_entropy_gradient_kernel() {
  return loop<Number, operators::softmax_cross_entropy_gradient, run>();
}

}  // namespace lbann::kernels::reference
