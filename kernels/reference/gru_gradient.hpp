// Reference kernel of gru_gradient: a sample at a time, from the last step to the first.
#pragma once

#include <algorithm>

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
class GruGradient : public Kernel {
 public:
  explicit GruGradient(Call const& call)
      : inputs_(call.inputs.begin(), call.inputs.end()),
        outputs_(call.outputs.begin(), call.outputs.end()),
        back_(static_cast<std::size_t>(inputs_[0].extents[2])),
        recurrent_(3 * back_.size()) {}

  void run() override {
    auto const batch = inputs_[0].extents[0], steps = inputs_[0].extents[1];
    auto const hidden = inputs_[0].extents[2];
    for (std::int64_t n = 0; n < batch; ++n) {
      // What goes back to the state from the steps that follow.
      std::fill(back_.begin(), back_.end(), Number(0));
      for (auto t = steps; t-- > 0;) step(n, t, steps, hidden);
      for (std::int64_t i = 0; i < hidden; ++i)
        set(outputs_[2], n * hidden + i, back_[static_cast<std::size_t>(i)]);
    }
  }

 private:
  void step(std::int64_t n, std::int64_t t, std::int64_t steps, std::int64_t hidden) {
    auto const &given = inputs_[0], &states = inputs_[1], &first = inputs_[2],
               &weights = inputs_[3], &gates = inputs_[4];
    auto const at = n * steps + t;
    for (std::int64_t i = 0; i < hidden; ++i) {
      auto const gate = [&](std::int64_t g) {
        return get<Number>(gates, (at * 4 + g) * hidden + i);
      };
      auto const reset = gate(0), update = gate(1), fresh = gate(2), product = gate(3);
      auto const before =
          t == 0 ? get<Number>(first, n * hidden + i) : get<Number>(states, (at - 1) * hidden + i);
      auto& back = back_[static_cast<std::size_t>(i)];
      auto const gradient = get<Number>(given, at * hidden + i) + back;
      auto const rest = Number(1) - update;
      auto const of_fresh = gradient * rest * (Number(1) - fresh * fresh);
      auto const of_update = gradient * (before - fresh) * update * rest;
      auto const of_reset = of_fresh * product * reset * (Number(1) - reset);
      Number const of_inputs[] = {of_reset, of_update, of_fresh};
      Number const of_recurrent[] = {of_reset, of_update, of_fresh * reset};
      for (std::int64_t g = 0; g < 3; ++g) {
        set(outputs_[0], (at * 3 + g) * hidden + i, of_inputs[g]);
        set(outputs_[1], (at * 3 + g) * hidden + i, of_recurrent[g]);
        recurrent_[static_cast<std::size_t>(g * hidden + i)] = of_recurrent[g];
      }
      back = gradient * update;
    }
    for (std::int64_t i = 0; i < hidden; ++i)
      for (std::int64_t row = 0; row < 3 * hidden; ++row)
        back_[static_cast<std::size_t>(i)] +=
            recurrent_[static_cast<std::size_t>(row)] * get<Number>(weights, row * hidden + i);
  }

  std::vector<View> inputs_, outputs_;
  std::vector<Number> back_, recurrent_;
};

template <class Number>
Implementation gru_gradient_kernel() {
  return kernel<GruGradient<Number>>();
}

}  // namespace lbann::kernels::reference
