#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The image turned about its middle, then sheared, then moved; shear and translation are along
/// columns, then rows.
struct composite_image_transformation {
  static constexpr std::string_view name = "composite_image_transformation";
  static constexpr std::string_view summary =
      "Images rotated, sheared and moved, for each sample by its own numbers.";
  static constexpr std::string_view shapes =
      "x [c, h, w], angle [1], shear [2], translation [2] -> y [c, h, w]";
  static constexpr std::string_view formula =
      "y[c, p, q] = x at row r + shear[1] s + translation[1] and column s + shear[0] r + "
      "translation[0],\n"
      "  r and s as in rotation, by bilinear interpolation; 0 where x has not all four "
      "neighbours of that place\n"
      "LBANN passes no gradient on";
  static constexpr LayerExample example{
      "image=3x8x8 angle=1 shear=2 translation=2",
      "- composite_image_transformation: {parents: [image, angle, shear, translation]}"};
  static constexpr Arity parents{4, 4}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
