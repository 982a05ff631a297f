#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Its weights, the same for each sample.
struct weights_layer {
  static constexpr std::string_view name = "weights_layer";
  static constexpr std::string_view summary =
      "Trained weights as a layer, the same for each sample.";
  static constexpr std::string_view shapes = "-> y [dims]";
  static constexpr std::string_view formula =
      "y = W, for each sample\n"
      "dW = sum over samples: dy\n"
      "W = <layer>_weights [dims]";
  static constexpr LayerExample example{"", "- weights_layer: {name: queries, dims: [4, 16]}"};
  static constexpr Arity parents{0, 0}, children{1, 1};

  std::vector<std::int64_t> dims;

  static constexpr auto fields() {
    return std::tuple{field("dims", &weights_layer::dims,
                            "Dims of the weights; left out: those of the `hint_layer`.",
                            at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
