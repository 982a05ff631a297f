// Tensors of gru_gradient, and what one unit computes in one step.
#pragma once

#include <Kokkos_Core.hpp>

#include "kernels/kernel.hpp"

namespace lbann::kernels::kokkos {

/// Tensors of a call of gru_gradient, in C order.
template <class T>
struct GruGradientTensors {
  static constexpr int gates = 3;  ///< products of a unit

  std::int64_t samples, steps, hidden;
  T const *given, *states, *first, *weights, *gates_of_steps;
  T *of_products, *of_recurrent;
  T* back;  ///< gradient of the state before the current step, in the end of the first state

  explicit GruGradientTensors(Call const& call)
      : samples(call.inputs[0].extents[0]),
        steps(call.inputs[0].extents[1]),
        hidden(call.inputs[0].extents[2]),
        given(call.inputs[0].as<T>()),
        states(call.inputs[1].as<T>()),
        first(call.inputs[2].as<T>()),
        weights(call.inputs[3].as<T>()),
        gates_of_steps(call.inputs[4].as<T>()),
        of_products(call.outputs[0].as<T>()),
        of_recurrent(call.outputs[1].as<T>()),
        back(call.outputs[2].as<T>()) {}

  /// Gradients of a unit's products in a step; leaves in `back` what its state passes on by itself.
  KOKKOS_FUNCTION void unit(std::int64_t sample, std::int64_t step, std::int64_t i) const {
    auto const at = sample * steps + step;
    T const* const gate = gates_of_steps + at * 4 * hidden + i;
    T const reset = gate[0], update = gate[hidden], fresh = gate[2 * hidden];
    T const product = gate[3 * hidden];
    T const before = step == 0 ? first[sample * hidden + i] : states[(at - 1) * hidden + i];
    T const later = step == steps - 1 ? T(0) : back[sample * hidden + i];
    T const gradient = given[at * hidden + i] + later;
    T const rest = T(1) - update;
    T const of_fresh = gradient * rest * (T(1) - fresh * fresh);
    T const of_update = gradient * (before - fresh) * update * rest;
    T const of_reset = of_fresh * product * reset * (T(1) - reset);
    T* const p = of_products + at * 3 * hidden + i;
    T* const q = of_recurrent + at * 3 * hidden + i;
    p[0] = q[0] = of_reset;
    p[hidden] = q[hidden] = of_update;
    p[2 * hidden] = of_fresh;
    q[2 * hidden] = of_fresh * reset;
    back[sample * hidden + i] = gradient * update;
  }
};

}  // namespace lbann::kernels::kokkos
