#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Sum of its inputs, each with a factor, entry by entry.
struct weighted_sum {
  static constexpr std::string_view name = "weighted_sum";
  static constexpr std::string_view summary =
      "Sum of its inputs, each with a factor, entry by entry.";
  static constexpr std::string_view shapes = "x0 [n...], x1 [n...], ... -> y [n...]";
  static constexpr std::string_view formula =
      "y = scaling_factors[0] x0 + scaling_factors[1] x1 + ...";
  static constexpr LayerExample example{
      "a=3x4 b=3x4", "- weighted_sum: {parents: [a, b], scaling_factors: [0.5, -1]}"};
  static constexpr Arity parents{1, -1}, children{1, 1};

  std::vector<double> scaling_factors;

  static constexpr auto fields() {
    return std::tuple{field("scaling_factors", &weighted_sum::scaling_factors,
                            "One factor for each parent, in their order.", Presence::required)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
