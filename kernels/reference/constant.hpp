// Reference kernel of constant: the numbers, one after the other.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::constant>& call) {
  auto const& values = call.op.values;
  for (std::size_t i = 0; i < values.size(); ++i)
    store(call.outputs[0], static_cast<std::int64_t>(i), values[i]);
}

template <class Number>
Implementation constant_kernel() {
  return loop<Number, operators::constant, run>();
}

}  // namespace lbann::kernels::reference
