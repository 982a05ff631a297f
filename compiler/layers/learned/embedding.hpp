#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// For each index the vector that a trained table has for it.
struct embedding {
  static constexpr std::string_view name = "embedding";
  static constexpr std::string_view summary =
      "For each index the vector that a trained table has for it.";
  static constexpr std::string_view shapes = "x [n...] -> y [n..., embedding_dim]";
  static constexpr std::string_view formula =
      "y[i] = W[floor(x[i])], and 0 where there is no such row or it is `padding_idx`\n"
      "dW[r] = sum over samples and i where floor(x[i]) = r: dy[i]; 0 for `padding_idx`\n"
      "W = <layer>_weights [num_embeddings, embedding_dim]";
  static constexpr LayerExample example{
      "tokens=12",
      "- embedding: {name: vectors, parents: tokens, num_embeddings: 1000, embedding_dim: 64}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::narrow;
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::int64_t num_embeddings = 0;
  std::int64_t embedding_dim = 0;
  std::int64_t padding_idx = -1;

  static constexpr auto fields() {
    return std::tuple{
        field("num_embeddings", &embedding::num_embeddings, "Vectors in the table.",
              Presence::required, {}, at_least_one),
        field("embedding_dim", &embedding::embedding_dim, "Entries of a vector.",
              Presence::required, {}, at_least_one),
        field("padding_idx", &embedding::padding_idx,
              "Index whose vector is zero and stays so; -1: none.", Range{.least = -1})};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
