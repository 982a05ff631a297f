#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The image turned clockwise about its middle; 0 where it does not reach, its last row and
/// column included.
struct rotation {
  static constexpr std::string_view name = "rotation";
  static constexpr std::string_view summary = "Images rotated by an angle for each sample.";
  static constexpr std::string_view shapes = "x [c, h, w], angle [1] -> y [c, h, w]";
  static constexpr std::string_view formula =
      "y[c, p, q] = x at row r and column s, by bilinear interpolation:\n"
      "  r = cos(a) (p - p0) - sin(a) (q - q0) + p0\n"
      "  s = sin(a) (p - p0) + cos(a) (q - q0) + q0\n"
      "  a = angle pi / 180, p0 = floor(h / 2), q0 = floor(w / 2)\n"
      "0 unless 0 <= r < h - 1 and 0 <= s < w - 1\n"
      "LBANN passes no gradient on";
  static constexpr LayerExample example{"image=3x8x8 angle=1",
                                        "- rotation: {parents: [image, angle]}"};
  static constexpr Arity parents{2, 2}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
