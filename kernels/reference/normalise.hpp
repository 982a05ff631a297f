// Reference kernel of normalise: mean, variance and result of one row after the other.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::normalise>& call) {
  auto const &x = call.inputs[0], &y = call.outputs[0];
  auto const rows = call.outputs[1].elements();
  auto const columns = rows == 0 ? 0 : x.elements() / rows;
  auto const* const scale = call.op.scale ? &call.inputs[1] : nullptr;
  auto const* const bias = call.op.bias ? &call.inputs.back() : nullptr;
  auto const many = Number(static_cast<double>(columns > 0 ? columns : 1));
  for (std::int64_t row = 0; row < rows; ++row) {
    auto const begin = row * columns;
    Number sum = 0, squares = 0;
    for (std::int64_t i = 0; i < columns; ++i) sum += get<Number>(x, begin + i);
    auto const mean = sum / many;
    for (std::int64_t i = 0; i < columns; ++i) {
      auto const deviation = get<Number>(x, begin + i) - mean;
      squares += deviation * deviation;
    }
    auto const root = square_root(squares / many + Number(call.op.epsilon));
    auto const inverse = Number(1) / root;
    for (std::int64_t i = 0; i < columns; ++i) {
      auto value = (get<Number>(x, begin + i) - mean) * inverse;
      if (scale != nullptr) value = value * get<Number>(*scale, i);
      if (bias != nullptr) value = value + get<Number>(*bias, i);
      set(y, begin + i, value);
    }
    set(call.outputs[1], row, mean);
    set(call.outputs[2], row, inverse);
  }
}

template <class Number>
Implementation normalise_kernel() {
  return loop<Number, operators::normalise, run>();
}

}  // namespace lbann::kernels::reference
