// The layer `deconvolution`.
#pragma once

#include "compiler/layers/convolution_kernel.hpp"

namespace lbann::compiler::layers {

/// The transpose of a convolution. Input [c, spatial...]; output [out_channels, spatial'...] with
/// spatial' = (spatial - 1) stride + dilation (kernel_size - 1) + 1 - 2 padding + output_padding.
/// Weights: `<layer>_kernel` [c, out_channels / groups, kernel_size...], He normal; `<layer>_bias`
/// [out_channels], zero.
struct deconvolution : ConvolutionKernel {
  static constexpr std::string_view name = "deconvolution";
  static constexpr std::string_view summary =
      "Transposed convolution with trained kernels: each entry of the input spreads a kernel.";
  static constexpr Arity parents{1, 1}, children{1, 1};

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
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
