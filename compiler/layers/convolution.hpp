// The layer `convolution`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

struct Window;

/// Input [c, spatial...]; output [out_channels, spatial'...] with spatial' = floor((spatial +
/// 2 padding - dilation (kernel_size - 1) - 1) / stride) + 1. Weights: `<layer>_kernel`
/// [out_channels, c / groups, kernel_size...], He normal; `<layer>_bias` [out_channels], zero.
struct convolution {
  static constexpr std::string_view name = "convolution";
  static constexpr std::string_view summary =
      "Cross-correlation with trained kernels, on samples of channels x spatial axes.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  std::int64_t num_dims = 0;
  std::int64_t out_channels = 1;
  std::vector<std::int64_t> kernel_size;
  std::vector<std::int64_t> stride = {1};
  std::vector<std::int64_t> padding = {0};
  std::vector<std::int64_t> dilation = {1};
  std::int64_t groups = 1;
  bool has_bias = true;

  static constexpr auto fields() {
    return std::tuple{
        field("num_dims", &convolution::num_dims, "Number of spatial axes; 0: what the input has.",
              Range{.least = 0, .most = 3}),
        field("out_channels", &convolution::out_channels, "Channels of the output.",
              Presence::required, {}, at_least_one),
        field("kernel_size", &convolution::kernel_size,
              "Extent of the kernel along each spatial axis; one number holds for all.",
              Presence::required, {}, at_least_one),
        field("stride", &convolution::stride,
              "Step of the kernel along each spatial axis; one number holds for all.",
              at_least_one),
        field("padding", &convolution::padding,
              "Zeros on both sides of each spatial axis; one number holds for all.", at_least_zero),
        field("dilation", &convolution::dilation,
              "Distance of the kernel's taps along each spatial axis; one number holds for all.",
              at_least_one),
        field("groups", &convolution::groups,
              "Groups of channels that do not see each other; divides both numbers of channels.",
              at_least_one),
        field("has_bias", &convolution::has_bias, "Add a trained number to each output channel.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(Lowering& lowering) const;

 private:
  std::optional<Window> window(LayerContext const& context) const;
};

}  // namespace lbann::compiler::layers
