// Reference kernel of slice: element by element.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::slice>& call) {
  auto const [outer, inner, whole] = cut_of(call.inputs[0], call.op.axis);
  for (std::size_t piece = 0; piece < call.outputs.size(); ++piece) {
    auto const begin = call.op.points[piece], extent = call.op.points[piece + 1] - begin;
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t a = 0; a < extent; ++a)
        for (std::int64_t i = 0; i < inner; ++i)
          set(call.outputs[piece], (o * extent + a) * inner + i,
              get(call.inputs[0], (o * whole + begin + a) * inner + i));
  }
}

template <class Number>
Implementation slice_kernel() {
  return loop<Number, operators::slice, run>();
}

}  // namespace lbann::kernels::reference
