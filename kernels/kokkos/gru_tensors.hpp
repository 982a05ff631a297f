// Tensors of gru, and what one unit computes in one step.
#pragma once

#include <Kokkos_Core.hpp>

#include "kernels/kernel.hpp"
#include "schemas/functions/sigmoid.hpp"
#include "schemas/functions/tanh.hpp"

namespace lbann::kernels::kokkos {

/// Tensors of a call of gru, in C order: products [samples, steps, 3 hidden], states [samples,
/// steps, hidden], gates [samples, steps, 4 hidden].
template <class T>
struct GruTensors {
  static constexpr int gates = 3;  ///< products of a unit

  std::int64_t samples, steps, hidden;
  T const *products, *first, *weights, *bias;
  T *states, *gates_of_steps;

  explicit GruTensors(Call const& call)
      : samples(call.outputs[0].extents[0]),
        steps(call.outputs[0].extents[1]),
        hidden(call.outputs[0].extents[2]),
        products(call.inputs[0].as<T>()),
        first(call.inputs[1].as<T>()),
        weights(call.inputs[2].as<T>()),
        bias(call.inputs[3].as<T>()),
        states(call.outputs[0].as<T>()),
        gates_of_steps(call.outputs[1].as<T>()) {}

  /// The state of a sample before a step, [hidden].
  KOKKOS_FUNCTION T const* before(std::int64_t sample, std::int64_t step) const {
    return step == 0 ? first + sample * hidden : states + (sample * steps + step - 1) * hidden;
  }

  /// Computes a unit of a sample's step from its recurrent products without bias, of reset, update
  /// and new, `stride` apart; returns its new state.
  KOKKOS_FUNCTION T finish(std::int64_t sample, std::int64_t step, std::int64_t unit,
                           T const* recurrent, std::int64_t stride) const {
    auto const at = sample * steps + step;
    T const* const p = products + at * 3 * hidden + unit;
    T* const kept = gates_of_steps + at * 4 * hidden + unit;
    T const reset = functions::sigmoid::value(p[0] + (recurrent[0] + bias[unit]));
    T const update =
        functions::sigmoid::value(p[hidden] + (recurrent[stride] + bias[hidden + unit]));
    T const product = recurrent[2 * stride] + bias[2 * hidden + unit];
    T const fresh = functions::tanh::value(p[2 * hidden] + reset * product);
    kept[0] = reset;
    kept[hidden] = update;
    kept[2 * hidden] = fresh;
    kept[3 * hidden] = product;
    T const state = fresh + update * (before(sample, step)[unit] - fresh);
    states[at * hidden + unit] = state;
    return state;
  }
};

}  // namespace lbann::kernels::kokkos
