// Gradients of attention; the weights of pairs are computed again.
#pragma once

#include "schemas/operators/attention_heads.hpp"

namespace lbann::operators {

/// Inputs: gradient dy of the results [batch, l, heads e], then queries, keys, values, y and lse of
/// `attention`, whose fields these are, and its mask if it has one. Outputs: gradients of queries,
/// keys and values. For each head, with w[i, j] = exp(scale (q[i] . k[j]) + mask[i, j] - lse[i]):
///
///     du[i, j] = scale w[i, j] (dy[i] . v[j] - dy[i] . y[i])
///     dq[i] = sum_j du[i, j] k[j]   dk[j] = sum_i du[i, j] q[i]   dv[j] = sum_i w[i, j] dy[i]
struct attention_gradient : AttentionHeads {
  static constexpr std::string_view name = "attention_gradient";
  static constexpr std::string_view summary =
      "Gradients of attention with respect to queries, keys and values.";

  friend bool operator==(attention_gradient const&, attention_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(attention_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
