#pragma once

#include "compiler/layers/learned/convolution_kernel.hpp"

namespace lbann::compiler::layers {

/// Cross-correlation with trained kernels.
struct convolution : ConvolutionKernel {
  static constexpr std::string_view name = "convolution";
  static constexpr std::string_view summary =
      "Cross-correlation with trained kernels, on samples of channels x spatial axes.";
  static constexpr std::string_view shapes =
      "x [c, n...] -> y [out_channels, m...]\n"
      "m = floor((n + 2 padding - dilation (kernel_size - 1) - 1) / stride) + 1";
  static constexpr std::string_view formula =
      "y[o, p] = b[o] + sum over c, k: K[o, c, k] x[c, stride p + dilation k - padding], x "
      "being 0 outside\n"
      "with `groups`, c goes over the channels of the group that o belongs to\n"
      "K = <layer>_kernel [out_channels, c / groups, kernel_size...]\n"
      "b = <layer>_bias [out_channels], with `has_bias`";
  static constexpr LayerExample example{
      "x=3x32x32",
      "- convolution: {name: conv, parents: x, out_channels: 16, kernel_size: 5, stride: 2, "
      "padding: 2}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::narrow;
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::scores;

  static constexpr auto fields() { return kernel_fields(); }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
