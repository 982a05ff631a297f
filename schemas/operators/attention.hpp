// Scaled dot-product attention of several heads, without a tensor of all pairs of queries and keys.
#pragma once

#include "schemas/operators/attention_heads.hpp"

namespace lbann::operators {

/// Inputs: queries q [batch, l, heads d], keys k [batch, s, heads d], values v [batch, s, heads e],
/// the heads side by side in columns; then a mask, or none, that is broadcast to [batch, heads, l,
/// s]. For each head on its own columns:
///
///     u[i, j] = scale (q[i] . k[j]) + mask[i, j]
///     w[i, j] = exp(u[i, j] - lse[i])   y[i] = sum_j w[i, j] v[j]
///     lse[i] = log(sum_j exp(u[i, j]))
///
/// where j runs over all keys, or with `causal` over those up to i. A query whose mask is -infinity
/// for all keys gives NaN. Outputs: y [batch, l, heads e], and lse [batch, heads, l], of which the
/// gradient computes w again. (Vaswani et al. 2017, equation 1; lse and the gradient as Dao et al.,
/// "FlashAttention", 2022.)
struct attention : AttentionHeads {
  static constexpr std::string_view name = "attention";
  static constexpr std::string_view summary =
      "Means of values, weighted by how well queries fit keys, in several heads.";

  friend bool operator==(attention const&, attention const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(attention const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
