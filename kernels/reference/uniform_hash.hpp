// Reference kernel of uniform_hash: one number after the other.
#pragma once

#include "kernels/md5.hpp"
#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::uniform_hash>& call) {
  auto const& x = call.inputs[0];
  for (std::int64_t i = 0; i < x.elements(); ++i)
    if (x.type == DataType::f64)
      call.outputs[0].template as<double>()[i] = uniform_hash_of(x.template as<double>()[i]);
    else
      call.outputs[0].template as<float>()[i] = uniform_hash_of(x.template as<float>()[i]);
}

template <class Number>
Implementation uniform_hash_kernel() {
  return loop<Number, operators::uniform_hash, run>();
}

}  // namespace lbann::kernels::reference
