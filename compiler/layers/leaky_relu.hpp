// The layer `leaky_relu`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// x where it is positive, negative_slope x elsewhere.
struct leaky_relu {
  static constexpr std::string_view name = "leaky_relu";
  static constexpr std::string_view summary = "x where it is positive, negative_slope x elsewhere.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  double negative_slope = 0.01;

  static constexpr auto fields() {
    return std::tuple{field("negative_slope", &leaky_relu::negative_slope, "Slope below zero.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
