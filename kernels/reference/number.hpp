// What reference kernels compute with: double, or a type that behaves so and counts.
#pragma once

#include <cmath>

#include "kernels/kernel.hpp"

namespace lbann::kernels::reference {

// Every reference kernel is a template over `Number`: a type made from a double, converted to one,
// with + - * / and comparisons. Kernels compute in double; tests instantiate them with a number
// that counts what is done to it, which is how the operators' own counts (schemas/operators) are
// proven. To be countable a kernel does the same operations whatever the data: it computes first
// and chooses afterwards.

/// The value of a declared function (exp, maximum, a function of an expression, ...), computed in
/// double. A type that counts specialises it, and counts one.
template <class Number>
struct FunctionValue {
  static Number of(double value) { return Number(value); }
};

template <class Number>
Number exponential(Number x) {
  return FunctionValue<Number>::of(std::exp(static_cast<double>(x)));
}

template <class Number>
Number logarithm(Number x) {
  return FunctionValue<Number>::of(std::log(static_cast<double>(x)));
}

template <class Number>
Number square_root(Number x) {
  return FunctionValue<Number>::of(std::sqrt(static_cast<double>(x)));
}

/// As std::min: `a` unless `b` is smaller, so that a NaN is kept only where it stands first.
template <class Number>
Number smaller(Number a, Number b) {
  auto const x = static_cast<double>(a), y = static_cast<double>(b);
  return FunctionValue<Number>::of(y < x ? y : x);
}

/// As std::max: `a` unless `b` is larger, so that a NaN is kept only where it stands first.
template <class Number>
Number larger(Number a, Number b) {
  auto const x = static_cast<double>(a), y = static_cast<double>(b);
  return FunctionValue<Number>::of(x < y ? y : x);
}

}  // namespace lbann::kernels::reference
