// Reference kernel of sort: the standard library's stable sort of each row.
#pragma once

#include <algorithm>
#include <numeric>

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::sort>& call) {
  auto const& x = call.inputs[0];
  auto const columns = x.extents[x.rank - 1u];
  std::vector<std::int64_t> order(static_cast<std::size_t>(columns));
  for (std::int64_t row = 0; columns > 0 && row < x.elements() / columns; ++row) {
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t i, std::int64_t j) {
      auto const a = get(x, row * columns + i), b = get(x, row * columns + j);
      // NaN after all numbers.
      if (a != a || b != b) return a == a && b != b;
      return call.op.descending ? a > b : a < b;
    });
    for (std::int64_t i = 0; i < columns; ++i) {
      auto const from = order[static_cast<std::size_t>(i)];
      set(call.outputs[0], row * columns + i, get(x, row * columns + from));
      set(call.outputs[1], row * columns + i, from);
    }
  }
}

template <class Number>
Implementation sort_kernel() {
  return loop<Number, operators::sort, run>();
}

}  // namespace lbann::kernels::reference
