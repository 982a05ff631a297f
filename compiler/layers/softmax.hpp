// The layer `softmax`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Scores to probabilities that sum to one over all entries of a sample.
struct softmax {
  static constexpr std::string_view name = "softmax";
  static constexpr std::string_view summary =
      "Scores to probabilities that sum to one over all entries of a sample.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;

  /// Lower clamp of the probabilities, as LBANN's: the square root of the smallest normal number.
  static double minimum(DataType type);
};

}  // namespace lbann::compiler::layers
