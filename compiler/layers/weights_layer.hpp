// The layer `weights_layer`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Its weights `<layer>_weights` [dims], the same for each sample; zero unless initialized
/// otherwise.
struct weights_layer {
  static constexpr std::string_view name = "weights_layer";
  static constexpr std::string_view summary =
      "Trained weights as a layer, the same for each sample.";
  static constexpr Arity parents{0, 0}, children{1, 1};

  std::vector<std::int64_t> dims;

  static constexpr auto fields() {
    return std::tuple{field("dims", &weights_layer::dims,
                            "Dims of the weights; left out: those of the `hint_layer`.",
                            at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
