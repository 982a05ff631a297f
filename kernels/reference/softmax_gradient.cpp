// Reference kernel of softmax_gradient: a row at a time; clamped entries neither give nor get.
#include <cmath>

#include "kernels/reference/loop.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

void run(Arguments<operators::softmax_gradient> const& call) {
  auto const &y = call.inputs[0], &dy = call.inputs[1], &dx = call.outputs[0];
  auto const [rows, columns] = rows_of(y);
  auto const minimum = rounded(call.op.minimum, y.type);
  for (std::int64_t row = 0; row < rows; ++row) {
    auto const begin = row * columns, end = begin + columns;
    double sum = 0;
    if (call.op.logarithm) {
      for (auto i = begin; i < end; ++i) sum += get(dy, i);
      for (auto i = begin; i < end; ++i) set(dx, i, get(dy, i) - std::exp(get(y, i)) * sum);
      continue;
    }
    auto const clamped = [&](std::int64_t i) { return minimum > 0 && get(y, i) <= minimum; };
    for (auto i = begin; i < end; ++i)
      if (!clamped(i)) sum += get(y, i) * get(dy, i);
    for (auto i = begin; i < end; ++i) set(dx, i, clamped(i) ? 0 : get(y, i) * (get(dy, i) - sum));
  }
}

}  // namespace

Implementation softmax_gradient_kernel() { return loop<operators::softmax_gradient, run>(); }

}  // namespace lbann::kernels::reference
