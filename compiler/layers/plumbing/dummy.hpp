#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Takes an output that no other layer takes.
struct dummy {
  static constexpr std::string_view name = "dummy";
  static constexpr std::string_view summary = "Takes an output that no other layer takes.";
  static constexpr std::string_view shapes = "x [n...] ->";
  static constexpr std::string_view formula = "dx = 0";
  static constexpr LayerExample example{"x=3x4", "- dummy: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{0, 0};
  static constexpr bool discards_input = true;

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
