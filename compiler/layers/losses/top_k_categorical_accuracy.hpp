#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Whether the true category is among the k largest predictions.
struct top_k_categorical_accuracy {
  static constexpr std::string_view name = "top_k_categorical_accuracy";
  static constexpr std::string_view summary =
      "1 where the true category is among the k largest predictions, else 0.";
  static constexpr std::string_view shapes = "y [n...], t [n...] -> z [1]";
  static constexpr std::string_view formula =
      "z = [fewer than k entries of y come before y[argmax(t)]]\n"
      "larger ones come first, of equals those with a smaller index\n"
      "dy = dt = 0";
  static constexpr LayerExample example{
      "probabilities=10 truth=10",
      "- top_k_categorical_accuracy: {parents: [probabilities, truth], k: 5}"};
  static constexpr Arity parents{2, 2}, children{1, 1};
  static constexpr Values compares = Values::any;

  std::int64_t k = 1;

  static constexpr auto fields() {
    return std::tuple{field("k", &top_k_categorical_accuracy::k, "Predictions that count.",
                            Presence::required, {}, at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
