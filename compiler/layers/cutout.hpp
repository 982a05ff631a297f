// The layer `cutout`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Inputs: an image [c, h, w] and a length [1]. A square of that side is set to 0, about a pixel
/// drawn anew for each sample and step; the last row and column stay. LBANN draws one pixel for all
/// samples of a rank, and not reproducibly.
struct cutout {
  static constexpr std::string_view name = "cutout";
  static constexpr std::string_view summary =
      "A square of each image set to zero, at a random place.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
