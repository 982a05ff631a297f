// Reference kernel of permute: element by element.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::permute>& call) {
  auto const &x = call.inputs[0], &y = call.outputs[0];
  for (std::int64_t to = 0; to < y.elements(); ++to) {
    // Places along the axes of y, last first; each counts along an axis of x.
    std::int64_t from = 0;
    auto rest = to;
    for (std::size_t axis = y.rank; axis-- > 0; rest /= y.extents[axis]) {
      std::int64_t step = 1;
      for (auto inner = static_cast<std::size_t>(call.op.axes[axis]) + 1; inner < x.rank; ++inner)
        step *= x.extents[inner];
      from += rest % y.extents[axis] * step;
    }
    set(y, to, get(x, from));
  }
}

template <class Number>
Implementation permute_kernel() {
  return loop<Number, operators::permute, run>();
}

}  // namespace lbann::kernels::reference
