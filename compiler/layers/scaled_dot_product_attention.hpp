// The layer `scaled_dot_product_attention`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Inputs queries [l, d], keys [s, d], values [s, v]; output [l, v]. Each of h heads sees d / h
/// entries of queries and keys and v / h of values: softmax(q k^T / sqrt(d / h)) v (Vaswani et al.
/// 2017, equation 1), heads side by side. With `is_causal`, query i sees keys 0 to i, as in
/// PyTorch.
struct scaled_dot_product_attention {
  static constexpr std::string_view name = "scaled_dot_product_attention";
  static constexpr std::string_view summary =
      "Mean of values, weighted by how well each query fits each key, in several heads.";
  static constexpr Arity parents{3, 3}, children{1, 1};

  std::int64_t num_heads = 1;
  bool is_causal = false;

  static constexpr auto fields() {
    using Self = scaled_dot_product_attention;
    return std::tuple{
        field("num_heads", &Self::num_heads,
              "Parts that queries, keys and values are cut into, each with weights of its own.",
              at_least_one),
        field("is_causal", &Self::is_causal, "Query i sees keys 0 to i only.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
