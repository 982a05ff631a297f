// Functions of the gates of recurrent operators, as reference kernels compute them.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
Number sigmoid_of(Number x) {
  return FunctionValue<Number>::of(1 / (1 + std::exp(-static_cast<double>(x))));
}

template <class Number>
Number tanh_of(Number x) {
  return FunctionValue<Number>::of(std::tanh(static_cast<double>(x)));
}

}  // namespace lbann::kernels::reference
