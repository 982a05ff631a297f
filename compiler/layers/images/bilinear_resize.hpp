#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Bilinear interpolation between the centres of pixels.
struct bilinear_resize {
  static constexpr std::string_view name = "bilinear_resize";
  static constexpr std::string_view summary = "Images resized by bilinear interpolation.";
  static constexpr std::string_view shapes = "x [..., h, w] -> y [..., height, width]";
  static constexpr std::string_view formula =
      "y[..., p, q] = x at row (p + 1/2) h / height - 1/2 and column (q + 1/2) w / width - 1/2\n"
      "between pixels by bilinear interpolation; beyond the outermost ones their value\n"
      "LBANN passes no gradient on";
  static constexpr LayerExample example{
      "image=3x8x8", "- bilinear_resize: {parents: image, height: 16, width: 12}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::int64_t height = 0;
  std::int64_t width = 0;

  static constexpr auto fields() {
    return std::tuple{field("height", &bilinear_resize::height, "Rows of the output.",
                            Presence::required, {}, at_least_one),
                      field("width", &bilinear_resize::width, "Columns of the output.",
                            Presence::required, {}, at_least_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
