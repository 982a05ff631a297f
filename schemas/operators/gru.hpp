// A layer of gated recurrent units over all steps of a sequence, given what the inputs contribute.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs: products of the sequence with the input weights [batch, steps, 3 h], their bias added;
/// the initial state [batch, h]; recurrent weights [3 h, h] and their bias [3 h]. With p and
/// q = weights state + bias cut into three parts each (reset, update, new):
///
///     r = sigmoid(p_r + q_r)   z = sigmoid(p_z + q_z)   n = tanh(p_n + r q_n)
///     state' = n + z (state - n)
///
/// Outputs: the states [batch, steps, h], and what the gradient needs of each step, r, z, n and
/// q_n [batch, steps, 4 h]. (Cho et al. 2014, with the reset after the product as cuDNN has it.)
struct gru {
  static constexpr std::string_view name = "gru";
  static constexpr std::string_view summary = "Gated recurrent units over all steps of a sequence.";

  static constexpr auto fields() { return std::tuple<>{}; }

  friend bool operator==(gru const&, gru const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(gru const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
