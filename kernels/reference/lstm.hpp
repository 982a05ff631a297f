// Reference kernel of lstm: a sample and a step at a time.
#pragma once

#include "kernels/reference/gates.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::lstm>& call) {
  auto const &products = call.inputs[0], &first = call.inputs[1], &first_cell = call.inputs[2],
             &weights = call.inputs[3], &states = call.outputs[0], &cells = call.outputs[1],
             &gates = call.outputs[2];
  auto const batch = states.extents[0], steps = states.extents[1], hidden = states.extents[2];
  for (std::int64_t n = 0; n < batch; ++n)
    for (std::int64_t t = 0; t < steps; ++t) {
      auto const step = n * steps + t;
      auto const before = [&](View const& initial, View const& of_steps, std::int64_t i) {
        return t == 0 ? get<Number>(initial, n * hidden + i)
                      : get<Number>(of_steps, (step - 1) * hidden + i);
      };
      for (std::int64_t i = 0; i < hidden; ++i) {
        auto const product = [&](std::int64_t gate) {
          Number sum = 0;
          for (std::int64_t k = 0; k < hidden; ++k)
            sum +=
                get<Number>(weights, (gate * hidden + i) * hidden + k) * before(first, states, k);
          return get<Number>(products, (step * 4 + gate) * hidden + i) + sum;
        };
        auto const in = sigmoid_of(product(0)), forget = sigmoid_of(product(1));
        auto const fresh = tanh_of(product(2)), out = sigmoid_of(product(3));
        auto const cell = forget * before(first_cell, cells, i) + in * fresh;
        Number const kept[] = {in, forget, fresh, out};
        for (std::int64_t gate = 0; gate < 4; ++gate)
          set(gates, (step * 4 + gate) * hidden + i, kept[gate]);
        set(cells, step * hidden + i, cell);
        set(states, step * hidden + i, out * tanh_of(cell));
      }
    }
}

template <class Number>
Implementation lstm_kernel() {
  return loop<Number, operators::lstm, run>();
}

}  // namespace lbann::kernels::reference
