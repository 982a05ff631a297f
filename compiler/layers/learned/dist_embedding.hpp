#pragma once

#include "compiler/layers/layer.hpp"
#include "schemas/vocabulary/learning_rate.hpp"

namespace lbann::compiler::layers {

/// Like `embedding`. LBANN spreads the table over ranks and fetches vectors with one-sided
/// messages; here each rank holds it.
struct dist_embedding {
  static constexpr std::string_view name = "dist_embedding";
  static constexpr std::string_view summary =
      "For each index the vector that a trained table has for it, with a step of its own.";
  static constexpr std::string_view shapes = "x [n...] -> y [n..., embedding_dim]";
  static constexpr std::string_view formula =
      "y[i] = W[floor(x[i])], and 0 where there is no such row\n"
      "dW[r] = sum over samples and i where floor(x[i]) = r: dy[i]\n"
      "with `sparse_sgd`: W = W - learning_rate dW after each step, whatever the optimizer\n"
      "W = <layer>_weights [num_embeddings, embedding_dim]";
  static constexpr LayerExample example{
      "tokens=12",
      "- dist_embedding: {name: vectors, parents: tokens, num_embeddings: 1000, embedding_dim: "
      "64}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::narrow;
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::int64_t num_embeddings = 0;
  std::int64_t embedding_dim = 0;
  bool sparse_sgd = false;
  double learning_rate = 0;
  bool barrier_in_forward_prop = false;

  static constexpr auto fields() {
    return std::tuple{
        field("num_embeddings", &dist_embedding::num_embeddings, "Vectors in the table.",
              Presence::required, {}, at_least_one),
        field("embedding_dim", &dist_embedding::embedding_dim, "Entries of a vector.",
              Presence::required, {}, at_least_one),
        field("sparse_sgd", &dist_embedding::sparse_sgd,
              "Train the table by plain gradient descent with `learning_rate`, whatever the "
              "optimizer."),
        lbann::learning_rate(field("learning_rate", &dist_embedding::learning_rate,
                                   "Step along the gradient; only with `sparse_sgd`.",
                                   at_least_zero)),
        ignored(field("barrier_in_forward_prop", &dist_embedding::barrier_in_forward_prop,
                      "Wait for all ranks before vectors are fetched."),
                "each rank holds the table, nobody is waited for")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
