#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep convolutional neural
/// networks", 2012.
struct local_response_normalization {
  static constexpr std::string_view name = "local_response_normalization";
  static constexpr std::string_view summary =
      "Entries divided by a power of the squares of neighbouring channels.";
  static constexpr std::string_view shapes = "x [c, n...] -> y [c, n...]";
  static constexpr std::string_view formula =
      "y[c, i] = x[c, i] / (lrn_k + lrn_alpha sum over d with |d - c| <= floor(window_width / "
      "2): x[d, i]^2)^lrn_beta\n"
      "LBANN on GPUs divides lrn_alpha by window_width (cuDNN); this is what it does on CPUs";
  static constexpr LayerExample example{"x=16x8x8", "- local_response_normalization: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::int64_t window_width = 5;
  double lrn_alpha = 1e-4;
  double lrn_beta = 0.75;
  double lrn_k = 2;

  static constexpr auto fields() {
    using L = local_response_normalization;
    return std::tuple{field("window_width", &L::window_width,
                            "Channels in a window, the entry's own included.", at_least_one),
                      field("lrn_alpha", &L::lrn_alpha, "Factor of the sum of squares."),
                      field("lrn_beta", &L::lrn_beta, "Exponent."),
                      field("lrn_k", &L::lrn_k, "Added to the sum of squares.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
