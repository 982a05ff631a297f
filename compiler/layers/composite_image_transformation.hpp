// The layer `composite_image_transformation`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Inputs: an image [c, h, w], an angle [1] in degrees, shears [2] and translations [2], both along
/// columns, then rows. Output pixel (row, column) is the image, by bilinear interpolation, where
/// the point goes that is turned about pixel (h / 2, w / 2), then sheared, then moved; 0 where the
/// image does not reach, its last row and column included. In contrast to LBANN it passes a
/// gradient on.
struct composite_image_transformation {
  static constexpr std::string_view name = "composite_image_transformation";
  static constexpr std::string_view summary =
      "Images rotated, sheared and moved, for each sample by its own numbers.";
  static constexpr Arity parents{4, 4}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
