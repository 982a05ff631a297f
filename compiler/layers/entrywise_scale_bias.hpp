// The layer `entrywise_scale_bias`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// y = a x + b with trained a and b for each entry of a sample. Weights: `<layer>_weights`
/// [entries, 2], a in column 0, 1, and b in column 1, 0.
struct entrywise_scale_bias {
  static constexpr std::string_view name = "entrywise_scale_bias";
  static constexpr std::string_view summary =
      "Entries of a sample scaled and moved by trained numbers.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
