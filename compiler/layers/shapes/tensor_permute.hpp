#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The axes of a sample in another order.
struct tensor_permute {
  static constexpr std::string_view name = "tensor_permute";
  static constexpr std::string_view summary = "The axes of a sample in another order.";
  static constexpr std::string_view shapes = "x [n...] -> y [n[axes[0]], n[axes[1]], ...]";
  static constexpr std::string_view formula = "axis i of y is axis axes[i] of x";
  static constexpr LayerExample example{"x=3x8x5",
                                        "- tensor_permute: {parents: x, axes: [2, 0, 1]}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::vector<std::int64_t> axes;

  static constexpr auto fields() {
    return std::tuple{field("axes", &tensor_permute::axes,
                            "Axis of the input for each of the output.", Presence::required, {},
                            at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
