// Gradient of long short-term memory, back through all steps of a sequence.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs: gradient of the states [batch, steps, h], the cells, the initial cell [batch, h], the
/// recurrent weights [4 h, h], the gates [batch, steps, 4 h] that `lstm` gave, and where the
/// objective depends on them the gradient of the cells. Outputs: gradient of the products [batch,
/// steps, 4 h] (from which those of all weights and biases follow as products and sums over all
/// steps), of the initial state and of the initial cell.
struct lstm_gradient {
  static constexpr std::string_view name = "lstm_gradient";
  static constexpr std::string_view summary =
      "Gradients of long short-term memory with respect to its products, initial state and cell.";

  static constexpr auto fields() { return std::tuple<>{}; }

  friend bool operator==(lstm_gradient const&, lstm_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(lstm_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
