// The layer `convolution`.
#pragma once

#include "compiler/layers/convolution_kernel.hpp"

namespace lbann::compiler::layers {

/// Input [c, spatial...]; output [out_channels, spatial'...] with spatial' = floor((spatial +
/// 2 padding - dilation (kernel_size - 1) - 1) / stride) + 1. Weights: `<layer>_kernel`
/// [out_channels, c / groups, kernel_size...], He normal; `<layer>_bias` [out_channels], zero.
struct convolution : ConvolutionKernel {
  static constexpr std::string_view name = "convolution";
  static constexpr std::string_view summary =
      "Cross-correlation with trained kernels, on samples of channels x spatial axes.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return kernel_fields(); }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
