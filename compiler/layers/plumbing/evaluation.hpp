#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Sum of its input over the mini-batch, for objectives and metrics.
struct evaluation {
  static constexpr std::string_view name = "evaluation";
  static constexpr std::string_view summary =
      "Sum of its input over the mini-batch, for objectives and metrics.";
  static constexpr std::string_view shapes = "x [1] ->";
  static constexpr std::string_view formula =
      "value = sum over samples: x / (number of samples of the mini-batch)\n"
      "dx = scale_factor / (number of samples of the mini-batch) for a term of the objective, "
      "0 for a metric";
  static constexpr Arity parents{1, 1}, children{0, 0};
  static constexpr bool inserted_only = true, measures = true;

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
