// Reference kernel of gather: element by element.
#pragma once

#include "kernels/reference/loop.hpp"
#include "kernels/shapes/indexed.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::gather>& call) {
  auto const &values = call.inputs[0], &indices = call.inputs[1];
  auto const at = indexed_of(values, indices, call.op.axis, call.op.batch_axes);
  for (std::int64_t b = 0; b < at.batch; ++b)
    for (std::int64_t o = 0; o < at.outer; ++o)
      for (std::int64_t p = 0; p < at.picks; ++p) {
        auto const place = place_of(get(indices, b * at.picks + p), at.count);
        auto const row = b * at.outer + o;
        for (std::int64_t i = 0; i < at.inner; ++i)
          set(call.outputs[0], (row * at.picks + p) * at.inner + i,
              place < 0 ? 0 : get(values, (row * at.count + place) * at.inner + i));
      }
}

template <class Number>
Implementation gather_kernel() {
  return loop<Number, operators::gather, run>();
}

}  // namespace lbann::kernels::reference
