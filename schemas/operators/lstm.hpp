// A layer of long short-term memory over all steps of a sequence, given what the inputs contribute.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs: products of the sequence with the input weights [batch, steps, 4 h], all biases added;
/// the initial state and cell [batch, h]; recurrent weights [4 h, h]. With p = products + weights
/// state cut into four parts (input, forget, new, output):
///
///     i = sigmoid(p_i)   f = sigmoid(p_f)   g = tanh(p_g)   o = sigmoid(p_o)
///     cell' = f cell + i g   state' = o tanh(cell')
///
/// Outputs: the states and the cells [batch, steps, h], and i, f, g and o of each step, which the
/// gradient needs, [batch, steps, 4 h]. (Hochreiter and Schmidhuber 1997, with the forget gate of
/// Gers et al. 2000 and without peepholes, as cuDNN and PyTorch have it.)
struct lstm {
  static constexpr std::string_view name = "lstm";
  static constexpr std::string_view summary =
      "Long short-term memory over all steps of a sequence.";

  static constexpr auto fields() { return std::tuple<>{}; }

  friend bool operator==(lstm const&, lstm const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(lstm const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
