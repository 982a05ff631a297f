// Reference kernel of softmax_cross_entropy_gradient: a row at a time; clamped entries neither give
// nor get.
#include "kernels/reference/loop.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

void run(Arguments<operators::softmax_cross_entropy_gradient> const& call) {
  auto const &p = call.inputs[0], &t = call.inputs[1], &dloss = call.inputs[2],
             &dx = call.outputs[0];
  auto const [rows, columns] = rows_of(p);
  auto const minimum = rounded(call.op.minimum, p.type);
  for (std::int64_t row = 0; row < rows; ++row) {
    auto const begin = row * columns, end = begin + columns;
    auto const clamped = [&](std::int64_t i) { return minimum > 0 && get(p, i) <= minimum; };
    double sum = 0;
    for (auto i = begin; i < end; ++i)
      if (!clamped(i)) sum += get(t, i);
    for (auto i = begin; i < end; ++i)
      set(dx, i, clamped(i) ? 0 : get(dloss, row) * (get(p, i) * sum - get(t, i)));
  }
}

}  // namespace

Implementation softmax_cross_entropy_gradient_kernel() {
  return loop<operators::softmax_cross_entropy_gradient, run>();
}

}  // namespace lbann::kernels::reference
