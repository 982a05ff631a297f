// Reference kernel of argmax: the first of the largest entries of each sample.
#include <algorithm>

#include "kernels/reference/loop.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

void run(Arguments<operators::argmax> const& call) {
  auto const& x = call.inputs[0];
  auto const [rows, columns] = rows_of(x);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t best = -1;
    for (std::int64_t i = 0; i < columns; ++i) {
      auto const value = get(x, row * columns + i);
      // NaN is never the largest.
      if (value == value && (best < 0 || value > get(x, row * columns + best))) best = i;
    }
    set(call.outputs[0], row, static_cast<double>(std::max<std::int64_t>(best, 0)));
  }
}

}  // namespace

Implementation argmax_kernel() { return loop<operators::argmax, run>(); }

}  // namespace lbann::kernels::reference
