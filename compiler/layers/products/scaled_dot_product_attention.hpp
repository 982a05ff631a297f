#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Vaswani et al., "Attention is all you need", 2017, equation 1, heads side by side;
/// `is_causal` and the mask as in PyTorch.
struct scaled_dot_product_attention {
  static constexpr std::string_view name = "scaled_dot_product_attention";
  static constexpr std::string_view summary =
      "Mean of values, weighted by how well each query fits each key, in several heads.";
  static constexpr std::string_view shapes =
      "q [l, d], k [s, d], v [s, e], mask [l, s] or none -> y [l, e]";
  static constexpr std::string_view formula =
      "y[i] = sum over j: w[i, j] v[j]\n"
      "w[i, j] = exp(u[i, j]) / sum over j': exp(u[i, j'])\n"
      "u[i, j] = (q[i] . k[j]) / sqrt(d / num_heads) + mask[i, j]\n"
      "for each of num_heads heads on its d / num_heads columns of q and k and e / num_heads "
      "columns of v and y\n"
      "with `is_causal` j goes from 0 to i only\n"
      "a mask [num_heads, l, s] has other entries for each head, one with extents of 1 the same "
      "along these axes; -1e9 hides a key";
  static constexpr LayerExample example{
      "queries=10x64 keys=12x64 values=12x32",
      "- scaled_dot_product_attention: {parents: [queries, keys, values], num_heads: 4}"};
  static constexpr Arity parents{3, 4}, children{1, 1};

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
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
