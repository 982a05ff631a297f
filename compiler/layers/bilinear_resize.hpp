// The layer `bilinear_resize`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Input [..., h, w]; output [..., height, width]: bilinear interpolation between the centres of
/// pixels; beyond the outermost ones their value. In contrast to LBANN it passes a gradient on.
struct bilinear_resize {
  static constexpr std::string_view name = "bilinear_resize";
  static constexpr std::string_view summary = "Images resized by bilinear interpolation.";
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
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
