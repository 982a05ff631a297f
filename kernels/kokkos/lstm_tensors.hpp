// Tensors of lstm, and what one unit computes in one step.
#pragma once

#include <Kokkos_Core.hpp>

#include "kernels/kernel.hpp"
#include "schemas/functions/sigmoid.hpp"
#include "schemas/functions/tanh.hpp"

namespace lbann::kernels::kokkos {

/// Tensors of a call of lstm, in C order: products and gates [samples, steps, 4 hidden], states and
/// cells [samples, steps, hidden].
template <class T>
struct LstmTensors {
  static constexpr int gates = 4;  ///< products of a unit

  std::int64_t samples, steps, hidden;
  T const *products, *first, *first_cell, *weights;
  T *states, *cells, *gates_of_steps;

  explicit LstmTensors(Call const& call)
      : samples(call.outputs[0].extents[0]),
        steps(call.outputs[0].extents[1]),
        hidden(call.outputs[0].extents[2]),
        products(call.inputs[0].as<T>()),
        first(call.inputs[1].as<T>()),
        first_cell(call.inputs[2].as<T>()),
        weights(call.inputs[3].as<T>()),
        states(call.outputs[0].as<T>()),
        cells(call.outputs[1].as<T>()),
        gates_of_steps(call.outputs[2].as<T>()) {}

  /// The state of a sample before a step, [hidden].
  KOKKOS_FUNCTION T const* before(std::int64_t sample, std::int64_t step) const {
    return step == 0 ? first + sample * hidden : states + (sample * steps + step - 1) * hidden;
  }

  /// Computes a unit of a sample's step from its recurrent products, of input, forget, new and
  /// output, `stride` apart; returns its new state.
  KOKKOS_FUNCTION T finish(std::int64_t sample, std::int64_t step, std::int64_t unit,
                           T const* recurrent, std::int64_t stride) const {
    auto const at = sample * steps + step;
    T const* const p = products + at * 4 * hidden + unit;
    T* const kept = gates_of_steps + at * 4 * hidden + unit;
    T const in = functions::sigmoid::value(p[0] + recurrent[0]);
    T const forget = functions::sigmoid::value(p[hidden] + recurrent[stride]);
    T const fresh = functions::tanh::value(p[2 * hidden] + recurrent[2 * stride]);
    T const out = functions::sigmoid::value(p[3 * hidden] + recurrent[3 * stride]);
    kept[0] = in;
    kept[hidden] = forget;
    kept[2 * hidden] = fresh;
    kept[3 * hidden] = out;
    T const cell_before =
        step == 0 ? first_cell[sample * hidden + unit] : cells[(at - 1) * hidden + unit];
    T const cell = forget * cell_before + in * fresh;
    T const state = out * functions::tanh::value(cell);
    cells[at * hidden + unit] = cell;
    states[at * hidden + unit] = state;
    return state;
  }
};

}  // namespace lbann::kernels::kokkos
