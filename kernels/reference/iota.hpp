// Reference kernel of iota: one number after the other.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::iota>& call) {
  for (std::int64_t i = 0; i < call.op.extent; ++i) set(call.outputs[0], i, i);
}

template <class Number>
Implementation iota_kernel() {
  return loop<Number, operators::iota, run>();
}

}  // namespace lbann::kernels::reference
