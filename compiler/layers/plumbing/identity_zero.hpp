#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Its input, or zeros where the layer is frozen, through which no gradient passes.
struct identity_zero {
  static constexpr std::string_view name = "identity_zero";
  static constexpr std::string_view summary = "Its input, or zeros where the layer is frozen.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y = x, dx = dy\n"
      "with `freeze: true`: y = 0, dx = 0";
  static constexpr LayerExample example{"x=3x4", "- identity_zero: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
