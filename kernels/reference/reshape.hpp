// Reference kernel of reshape: the output lies where the input lies; elsewhere it is a copy.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::reshape>& call) {
  for (std::int64_t i = 0; i < call.inputs[0].elements(); ++i)
    set(call.outputs[0], i, get(call.inputs[0], i));
}

template <class Number>
Implementation reshape_kernel() {
  return loop<Number, operators::reshape, run>();
}

}  // namespace lbann::kernels::reference
