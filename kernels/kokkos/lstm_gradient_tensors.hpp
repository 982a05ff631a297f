// Tensors of lstm_gradient, and what one unit computes in one step.
#pragma once

#include <Kokkos_Core.hpp>

#include "kernels/kernel.hpp"
#include "schemas/functions/tanh.hpp"

namespace lbann::kernels::kokkos {

/// Tensors of a call of lstm_gradient, in C order.
template <class T>
struct LstmGradientTensors {
  static constexpr int gates = 4;  ///< products of a unit

  std::int64_t samples, steps, hidden;
  T const *given, *cells, *first_cell, *weights, *gates_of_steps;
  T const* given_of_cells;  ///< null: the objective does not depend on the cells themselves
  T* of_recurrent;
  T* back;       ///< gradient of the state before the current step, in the end of the first state
  T* back_cell;  ///< likewise of the cell

  explicit LstmGradientTensors(Call const& call)
      : samples(call.inputs[0].extents[0]),
        steps(call.inputs[0].extents[1]),
        hidden(call.inputs[0].extents[2]),
        given(call.inputs[0].as<T>()),
        cells(call.inputs[1].as<T>()),
        first_cell(call.inputs[2].as<T>()),
        weights(call.inputs[3].as<T>()),
        gates_of_steps(call.inputs[4].as<T>()),
        given_of_cells(call.inputs.size() == 6 ? call.inputs[5].as<T>() : nullptr),
        of_recurrent(call.outputs[0].as<T>()),
        back(call.outputs[1].as<T>()),
        back_cell(call.outputs[2].as<T>()) {}

  /// Gradients of a unit's products in a step and of the cell before it. The state before it is
  /// reached by the products alone: `back` becomes 0.
  KOKKOS_FUNCTION void unit(std::int64_t sample, std::int64_t step, std::int64_t i) const {
    auto const at = sample * steps + step;
    T const* const gate = gates_of_steps + at * 4 * hidden + i;
    T const in = gate[0], forget = gate[hidden], fresh = gate[2 * hidden], out = gate[3 * hidden];
    T& of_state = back[sample * hidden + i];
    T& of_cell_before = back_cell[sample * hidden + i];
    bool const is_last = step == steps - 1;
    T const before = step == 0 ? first_cell[sample * hidden + i] : cells[(at - 1) * hidden + i];
    T const bounded = functions::tanh::value(cells[at * hidden + i]);
    T const gradient = given[at * hidden + i] + (is_last ? T(0) : of_state);
    T of_cell = gradient * out * (T(1) - bounded * bounded) + (is_last ? T(0) : of_cell_before);
    if (given_of_cells != nullptr) of_cell += given_of_cells[at * hidden + i];
    T* const p = of_recurrent + at * 4 * hidden + i;
    p[0] = of_cell * fresh * in * (T(1) - in);
    p[hidden] = of_cell * before * forget * (T(1) - forget);
    p[2 * hidden] = of_cell * in * (T(1) - fresh * fresh);
    p[3 * hidden] = gradient * bounded * out * (T(1) - out);
    of_cell_before = of_cell * forget;
    of_state = T(0);
  }
};

}  // namespace lbann::kernels::kokkos
