#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Sum of its inputs, entry by entry.
struct sum {
  static constexpr std::string_view name = "sum";
  static constexpr std::string_view summary = "Sum of its inputs, entry by entry.";
  static constexpr std::string_view shapes = "x0 [n...], x1 [n...], ... -> y [n...]";
  static constexpr std::string_view formula = "y = x0 + x1 + ...";
  static constexpr LayerExample example{"a=3x4 b=3x4 c=3x4", "- sum: {parents: [a, b, c]}"};
  static constexpr Arity parents{1, -1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
