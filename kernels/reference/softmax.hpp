// Reference kernel of softmax: a row at a time, the largest score subtracted first.
#pragma once

#include <limits>

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

/// The largest of `count` elements of `x` from `begin` on, `stride` apart.
template <class Number>
Number largest_of(View const& x, std::int64_t begin, std::int64_t count, std::int64_t stride = 1) {
  Number largest = -std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < count; ++i)
    largest = larger(largest, get<Number>(x, begin + i * stride));
  return largest;
}

template <class Number>
void run(Arguments<Number, operators::softmax>& call) {
  auto const &x = call.inputs[0], &y = call.outputs[0];
  auto const layout = strided_rows(x, call.op.axis, call.op.inner);
  auto const columns = layout.columns, stride = layout.stride;
  for (std::int64_t row = 0; row < layout.rows; ++row) {
    auto const begin = layout.begin(row);
    auto const largest = largest_of<Number>(x, begin, columns, stride);
    Number sum = 0;
    for (std::int64_t i = 0; i < columns; ++i) {
      auto const shifted = get<Number>(x, begin + i * stride) - largest;
      auto const power = exponential(shifted);
      sum += power;
      call.row[static_cast<std::size_t>(i)] = call.op.logarithm ? shifted : power;
    }
    if (call.op.logarithm) {
      auto const log_sum = logarithm(sum);
      for (std::int64_t i = 0; i < columns; ++i)
        set(y, begin + i * stride, call.row[static_cast<std::size_t>(i)] - log_sum);
      continue;
    }
    for (std::int64_t i = 0; i < columns; ++i) {
      auto const share = call.row[static_cast<std::size_t>(i)] / sum;
      set(y, begin + i * stride,
          call.op.minimum > 0 ? larger(share, Number(call.op.minimum)) : share);
    }
  }
}

template <class Number>
Implementation softmax_kernel() {
  return loop<Number, operators::softmax, run>();
}

}  // namespace lbann::kernels::reference
