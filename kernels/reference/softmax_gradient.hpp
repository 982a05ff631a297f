// Reference kernel of softmax_gradient: a row at a time; clamped entries neither give nor get.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::softmax_gradient>& call) {
  auto const &y = call.inputs[0], &dy = call.inputs[1], &dx = call.outputs[0];
  auto const layout = strided_rows(y, call.op.axis, call.op.inner);
  auto const minimum = rounded(call.op.minimum, y.type);
  for (std::int64_t row = 0; row < layout.rows; ++row) {
    auto const begin = layout.begin(row), step = layout.stride;
    auto const end = begin + layout.columns * step;
    Number sum = 0;
    if (call.op.logarithm) {
      for (auto i = begin; i < end; i += step) sum += get<Number>(dy, i);
      for (auto i = begin; i < end; i += step)
        set(dx, i, get<Number>(dy, i) - exponential(get<Number>(y, i)) * sum);
      continue;
    }
    auto const clamped = [&](std::int64_t i) {
      return minimum > 0 && get<Number>(y, i) <= Number(minimum);
    };
    for (auto i = begin; i < end; i += step) {
      auto const product = get<Number>(y, i) * get<Number>(dy, i);
      sum += clamped(i) ? Number(0) : product;
    }
    for (auto i = begin; i < end; i += step) {
      auto const gradient = get<Number>(y, i) * (get<Number>(dy, i) - sum);
      set(dx, i, clamped(i) ? Number(0) : gradient);
    }
  }
}

template <class Number>
Implementation softmax_gradient_kernel() {
  return loop<Number, operators::softmax_gradient, run>();
}

}  // namespace lbann::kernels::reference
