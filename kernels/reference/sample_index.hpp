// Reference kernel of sample_index: one number after the other.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::sample_index>& call) {
  auto const first = *call.inputs[0].template as<std::int64_t>() + call.begin[0];
  for (std::int64_t i = 0; i < call.samples; ++i)
    call.outputs[0].template as<std::int64_t>()[i] = first + i;
}

template <class Number>
Implementation sample_index_kernel() {
  return loop<Number, operators::sample_index, run>();
}

}  // namespace lbann::kernels::reference
