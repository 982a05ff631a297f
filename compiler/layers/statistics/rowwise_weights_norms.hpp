#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Rows are those of the matrix that the weights are to the layer that uses them before: name
/// that one as `hint_layer` if nothing else brings it first.
struct rowwise_weights_norms {
  static constexpr std::string_view name = "rowwise_weights_norms";
  static constexpr std::string_view summary = "Length of each row of weights.";
  static constexpr std::string_view shapes = "-> y [rows of W]";
  static constexpr std::string_view formula =
      "y[r] = sqrt(sum over i: W[r, i]^2), the same for each sample\n"
      "W = the weights that the layer shares with another, as the matrix that they are there";
  static constexpr LayerExample example{
      "x=8",
      "- fully_connected: {name: scores, parents: x, num_neurons: 3, has_bias: false, weights: "
      "[w]}\n"
      "- rowwise_weights_norms: {name: norms, weights: [w], hint_layer: scores}",
      "w"};
  static constexpr Arity parents{0, 0}, children{1, 1};
  static constexpr bool has_dims_of_hint = false;

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
