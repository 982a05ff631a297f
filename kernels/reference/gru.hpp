// Reference kernel of gru: a sample and a step at a time.
#pragma once

#include "kernels/reference/gates.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::gru>& call) {
  auto const &products = call.inputs[0], &first = call.inputs[1], &weights = call.inputs[2],
             &bias = call.inputs[3], &states = call.outputs[0], &gates = call.outputs[1];
  auto const batch = states.extents[0], steps = states.extents[1], hidden = states.extents[2];
  for (std::int64_t n = 0; n < batch; ++n)
    for (std::int64_t t = 0; t < steps; ++t) {
      auto const step = n * steps + t;
      auto const before = [&](std::int64_t i) {
        return t == 0 ? get<Number>(first, n * hidden + i)
                      : get<Number>(states, (step - 1) * hidden + i);
      };
      for (std::int64_t i = 0; i < hidden; ++i) {
        Number recurrent[3];
        for (std::int64_t gate = 0; gate < 3; ++gate) {
          auto const row = gate * hidden + i;
          auto& sum = recurrent[gate];
          sum = 0;
          for (std::int64_t k = 0; k < hidden; ++k)
            sum += get<Number>(weights, row * hidden + k) * before(k);
          sum += get<Number>(bias, row);
        }
        auto const product = [&](std::int64_t gate) {
          return get<Number>(products, step * 3 * hidden + gate * hidden + i);
        };
        auto const reset = sigmoid_of(product(0) + recurrent[0]);
        auto const update = sigmoid_of(product(1) + recurrent[1]);
        auto const fresh = tanh_of(product(2) + reset * recurrent[2]);
        Number const kept[] = {reset, update, fresh, recurrent[2]};
        for (std::int64_t gate = 0; gate < 4; ++gate)
          set(gates, step * 4 * hidden + gate * hidden + i, kept[gate]);
        set(states, step * hidden + i, fresh + update * (before(i) - fresh));
      }
    }
}

template <class Number>
Implementation gru_kernel() {
  return loop<Number, operators::gru, run>();
}

}  // namespace lbann::kernels::reference
