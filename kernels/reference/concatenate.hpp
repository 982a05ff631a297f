// Reference kernel of concatenate: element by element.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::concatenate>& call) {
  auto const [outer, inner, whole] = cut_of(call.outputs[0], call.op.axis);
  std::int64_t begin = 0;
  for (auto const& input : call.inputs) {
    auto const extent = cut_of(input, call.op.axis).whole;
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t a = 0; a < extent; ++a)
        for (std::int64_t i = 0; i < inner; ++i)
          set(call.outputs[0], (o * whole + begin + a) * inner + i,
              get(input, (o * extent + a) * inner + i));
    begin += extent;
  }
}

template <class Number>
Implementation concatenate_kernel() {
  return loop<Number, operators::concatenate, run>();
}

}  // namespace lbann::kernels::reference
