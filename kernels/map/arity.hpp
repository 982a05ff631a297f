// How many arguments a scalar function has.
#pragma once

namespace lbann::kernels {

template <class F>
constexpr int arity() {
  if constexpr (requires { F::value(1.0); })
    return 1;
  else if constexpr (requires { F::value(1.0, 1.0); })
    return 2;
  else
    return 3;
}

}  // namespace lbann::kernels
