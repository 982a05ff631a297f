#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Sum of the magnitudes of all entries of a sample.
struct l1_norm {
  static constexpr std::string_view name = "l1_norm";
  static constexpr std::string_view summary = "Sum of the magnitudes of all entries of a sample.";
  static constexpr std::string_view shapes = "x [n...] -> y [1]";
  static constexpr std::string_view formula =
      "y = sum over i: |x[i]|\n"
      "dx[i] = dy sign(x[i])";
  static constexpr LayerExample example{"x=3x4", "- l1_norm: {parents: x}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::wide;
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
