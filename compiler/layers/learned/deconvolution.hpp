#pragma once

#include "compiler/layers/learned/convolution_kernel.hpp"

namespace lbann::compiler::layers {

/// The transpose of a convolution.
struct deconvolution : ConvolutionKernel {
  static constexpr std::string_view name = "deconvolution";
  static constexpr std::string_view summary =
      "Transposed convolution with trained kernels: each entry of the input spreads a kernel.";
  static constexpr std::string_view shapes =
      "x [c, n...] -> y [out_channels, m...]\n"
      "m = (n - 1) stride + dilation (kernel_size - 1) + 1 - 2 padding + output_padding";
  static constexpr std::string_view formula =
      "y[o, p] = b[o] + sum over c, q, k where stride q + dilation k - padding = p: K[c, o, k] "
      "x[c, q]\n"
      "with `groups`, c goes over the channels of the group that o belongs to\n"
      "K = <layer>_kernel [c, out_channels / groups, kernel_size...]\n"
      "b = <layer>_bias [out_channels], with `has_bias`";
  static constexpr LayerExample example{
      "x=16x8x8",
      "- deconvolution: {name: up, parents: x, out_channels: 8, kernel_size: 2, stride: 2}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::narrow;
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::scores;

  std::vector<std::int64_t> output_padding = {0};

  static constexpr auto fields() {
    return std::tuple_cat(
        kernel_fields(),
        std::tuple{field("output_padding", &deconvolution::output_padding,
                         "Entries more at the end of each spatial axis of the output, less than "
                         "the stride; one number holds for all.",
                         at_least_zero)});
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
