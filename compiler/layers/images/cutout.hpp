#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// A square of the image set to 0; its last row and column stay.
struct cutout {
  static constexpr std::string_view name = "cutout";
  static constexpr std::string_view summary =
      "A square of each image set to zero, at a random place.";
  static constexpr std::string_view shapes = "x [c, h, w], length [1] -> y [c, h, w]";
  static constexpr std::string_view formula =
      "y[c, p, q] = 0 if p0 <= p < min(floor(p0 + length), h - 1) and q0 <= q < min(floor(q0 + "
      "length), w - 1), else x[c, p, q]\n"
      "  p0 = max(floor(floor(u h) - length / 2), 0), q0 = max(floor(floor(v w) - length / 2), "
      "0)\n"
      "  u and v uniform in [0, 1), drawn for each sample and step, outside of training, too\n"
      "LBANN draws one u and v for all samples of a rank, and not reproducibly";
  static constexpr LayerExample example{"image=3x8x8 length=1",
                                        "- cutout: {parents: [image, length]}"};
  static constexpr Arity parents{2, 2}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
