// The layer `rotation`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Inputs: an image [c, h, w] and an angle [1] in degrees. The image turned clockwise about pixel
/// (h / 2, w / 2), halves rounded down, with bilinear interpolation; 0 where the image does not
/// reach, its last row and column included. In contrast to LBANN it passes a gradient on.
struct rotation {
  static constexpr std::string_view name = "rotation";
  static constexpr std::string_view summary = "Images rotated by an angle for each sample.";
  static constexpr Arity parents{2, 2}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
