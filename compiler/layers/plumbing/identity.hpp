#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Its input, unchanged.
struct identity {
  static constexpr std::string_view name = "identity";
  static constexpr std::string_view summary = "Its input, unchanged.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula = "y = x";
  static constexpr LayerExample example{"x=3x4", "- identity: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::as_input;

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
