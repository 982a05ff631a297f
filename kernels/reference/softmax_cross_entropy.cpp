// Reference kernel of softmax_cross_entropy: a row at a time, logarithms never of a small number.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/loop.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

void run(Arguments<operators::softmax_cross_entropy> const& call) {
  auto const &x = call.inputs[0], &t = call.inputs[1], &p = call.outputs[0],
             &loss = call.outputs[1];
  auto const [rows, columns] = rows_of(x);
  for (std::int64_t row = 0; row < rows; ++row) {
    auto const begin = row * columns, end = begin + columns;
    double largest = -std::numeric_limits<double>::infinity(), sum = 0, total = 0;
    for (auto i = begin; i < end; ++i) largest = std::max(largest, get(x, i));
    for (auto i = begin; i < end; ++i) sum += std::exp(get(x, i) - largest);
    for (auto i = begin; i < end; ++i) {
      auto const shifted = get(x, i) - largest;
      // log(max(p, minimum)); log(0) is -infinity, below everything.
      auto const log_p = std::max(shifted - std::log(sum), std::log(call.op.minimum));
      set(p, i, std::max(std::exp(shifted) / sum, call.op.minimum));
      if (get(t, i) != 0) total -= get(t, i) * log_p;
    }
    set(loss, row, total);
  }
}

}  // namespace

Implementation softmax_cross_entropy_kernel() {
  return loop<operators::softmax_cross_entropy, run>();
}

}  // namespace lbann::kernels::reference
