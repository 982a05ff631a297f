// Reference kernel of lstm_gradient: a sample at a time, from the last step to the first.
#pragma once

#include <algorithm>

#include "kernels/reference/gates.hpp"

namespace lbann::kernels::reference {

template <class Number>
class LstmGradient : public Kernel {
 public:
  explicit LstmGradient(Call const& call)
      : inputs_(call.inputs.begin(), call.inputs.end()),
        outputs_(call.outputs.begin(), call.outputs.end()),
        of_state_(static_cast<std::size_t>(inputs_[0].extents[2])),
        of_cell_(of_state_.size()) {}

  void run() override {
    auto const batch = inputs_[0].extents[0], steps = inputs_[0].extents[1];
    auto const hidden = inputs_[0].extents[2];
    for (std::int64_t n = 0; n < batch; ++n) {
      // What goes back to state and cell from the steps that follow.
      std::fill(of_state_.begin(), of_state_.end(), Number(0));
      std::fill(of_cell_.begin(), of_cell_.end(), Number(0));
      for (auto t = steps; t-- > 0;) step(n, t, steps, hidden);
      for (std::int64_t i = 0; i < hidden; ++i) {
        set(outputs_[1], n * hidden + i, of_state_[static_cast<std::size_t>(i)]);
        set(outputs_[2], n * hidden + i, of_cell_[static_cast<std::size_t>(i)]);
      }
    }
  }

 private:
  void step(std::int64_t n, std::int64_t t, std::int64_t steps, std::int64_t hidden) {
    auto const &given = inputs_[0], &cells = inputs_[1], &first_cell = inputs_[2],
               &weights = inputs_[3], &gates = inputs_[4];
    auto const at = n * steps + t;
    for (std::int64_t i = 0; i < hidden; ++i) {
      auto const gate = [&](std::int64_t g) {
        return get<Number>(gates, (at * 4 + g) * hidden + i);
      };
      auto const in = gate(0), forget = gate(1), fresh = gate(2), out = gate(3);
      auto const before = t == 0 ? get<Number>(first_cell, n * hidden + i)
                                 : get<Number>(cells, (at - 1) * hidden + i);
      auto const bounded = tanh_of(get<Number>(cells, at * hidden + i));
      auto const one = Number(1);
      auto const gradient =
          get<Number>(given, at * hidden + i) + of_state_[static_cast<std::size_t>(i)];
      auto& of_cell = of_cell_[static_cast<std::size_t>(i)];
      of_cell += gradient * out * (one - bounded * bounded);
      if (inputs_.size() == 6) of_cell += get<Number>(inputs_[5], at * hidden + i);
      Number const of_products[] = {
          of_cell * fresh * in * (one - in), of_cell * before * forget * (one - forget),
          of_cell * in * (one - fresh * fresh), gradient * bounded * out * (one - out)};
      for (std::int64_t g = 0; g < 4; ++g)
        set(outputs_[0], (at * 4 + g) * hidden + i, of_products[g]);
      of_cell = of_cell * forget;
    }
    for (std::int64_t i = 0; i < hidden; ++i) {
      auto& sum = of_state_[static_cast<std::size_t>(i)];
      sum = 0;
      for (std::int64_t row = 0; row < 4 * hidden; ++row)
        sum += get<Number>(outputs_[0], at * 4 * hidden + row) *
               get<Number>(weights, row * hidden + i);
    }
  }

  std::vector<View> inputs_, outputs_;
  std::vector<Number> of_state_, of_cell_;
};

template <class Number>
Implementation lstm_gradient_kernel() {
  return kernel<LstmGradient<Number>>();
}

}  // namespace lbann::kernels::reference
