// Gradient of gated recurrent units, back through all steps of a sequence.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs: gradient of the states [batch, steps, h], the states, the initial state [batch, h], the
/// recurrent weights [3 h, h], the gates [batch, steps, 4 h] that `gru` gave. Outputs: gradients of
/// the input products and of the recurrent ones [batch, steps, 3 h] each (from which those of all
/// weights and biases follow as products and sums over all steps), and of the initial state.
struct gru_gradient {
  static constexpr std::string_view name = "gru_gradient";
  static constexpr std::string_view summary =
      "Gradients of gated recurrent units with respect to their products and initial state.";

  static constexpr auto fields() { return std::tuple<>{}; }

  friend bool operator==(gru_gradient const&, gru_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(gru_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
