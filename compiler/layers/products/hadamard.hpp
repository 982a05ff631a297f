#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Product of its inputs, entry by entry.
struct hadamard {
  static constexpr std::string_view name = "hadamard";
  static constexpr std::string_view summary = "Product of its inputs, entry by entry.";
  static constexpr std::string_view shapes = "x0 [n...], x1 [n...], ... -> y [n...]";
  static constexpr std::string_view formula = "y = x0 * x1 * ..., entry by entry";
  static constexpr LayerExample example{"a=3x4 b=3x4", "- hadamard: {parents: [a, b]}"};
  static constexpr Arity parents{1, -1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
