// Reference kernel of softmax: a row at a time, the largest score subtracted first.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/loop.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

void run(Arguments<operators::softmax> const& call) {
  auto const &x = call.inputs[0], &y = call.outputs[0];
  auto const [rows, columns] = rows_of(x);
  for (std::int64_t row = 0; row < rows; ++row) {
    auto const begin = row * columns, end = begin + columns;
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (auto i = begin; i < end; ++i) largest = std::max(largest, get(x, i));
    for (auto i = begin; i < end; ++i) sum += std::exp(get(x, i) - largest);
    for (auto i = begin; i < end; ++i) {
      auto const shifted = get(x, i) - largest;
      set(y, i,
          call.op.logarithm ? shifted - std::log(sum)
                            : std::max(std::exp(shifted) / sum, call.op.minimum));
    }
  }
}

}  // namespace

Implementation softmax_kernel() { return loop<operators::softmax, run>(); }

}  // namespace lbann::kernels::reference
