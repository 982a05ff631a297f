// What the layers `convolution` and `deconvolution` have alike: fields, weights, bias.
#pragma once

#include <array>

#include "compiler/layers/layer.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

/// Which of cuDNN's algorithms LBANN may choose.
enum class TensorOps : std::uint8_t {
  default_tensor_ops,
  no_tensor_ops,
  use_tensor_ops,
  use_tensor_ops_allow_conversion
};

/// Base of both layers. Weights: `<layer>_kernel`, He normal; `<layer>_bias` [out_channels], zero.
struct ConvolutionKernel {
  std::int64_t num_dims = 0;
  std::int64_t out_channels = 1;
  std::vector<std::int64_t> kernel_size;
  std::vector<std::int64_t> stride = {1};
  std::vector<std::int64_t> padding = {0};
  std::vector<std::int64_t> dilation = {1};
  std::int64_t groups = 1;
  bool has_bias = true;
  TensorOps conv_tensor_op_mode = TensorOps::default_tensor_ops;

  static constexpr auto kernel_fields() {
    using K = ConvolutionKernel;
    return std::tuple{
        field("num_dims", &K::num_dims, "Number of spatial axes; 0: what the input has.",
              Range{.least = 0, .most = 3}),
        field("out_channels", &K::out_channels, "Channels of the output.", Presence::required, {},
              at_least_one),
        field("kernel_size", &K::kernel_size,
              "Extent of the kernel along each spatial axis; one number holds for all.",
              Presence::required, {}, at_least_one),
        field("stride", &K::stride,
              "Step of the kernel along each spatial axis; one number holds for all.",
              at_least_one),
        field("padding", &K::padding,
              "Zeros on both sides of each spatial axis; one number holds for all.", at_least_zero),
        field("dilation", &K::dilation,
              "Distance of the kernel's taps along each spatial axis; one number holds for all.",
              at_least_one),
        field("groups", &K::groups,
              "Groups of channels that do not see each other; divides both numbers of channels.",
              at_least_one),
        field("has_bias", &K::has_bias, "Add a trained number to each output channel."),
        ignored(field("conv_tensor_op_mode", &K::conv_tensor_op_mode,
                      "Which algorithms of cuDNN may be chosen."),
                "kernels keep the precision of the model")};
  }

 protected:
  /// The window, one number per axis. Reports numbers of values and groups that do not fit.
  std::optional<Window> window(LayerContext const& context) const;
  /// The same as the operators are told it, for `axes` spatial axes.
  operators::KernelSteps steps(std::size_t axes) const;
  /// Kernel [first, second / groups, kernel_size...] and bias.
  std::vector<WeightsRole> roles(LayerContext const& context, std::int64_t first,
                                 std::int64_t second) const;
  /// Adds the bias to `y` and declares it to be the output.
  void finish(LoweringContext& lowering, TensorId y) const;
};

}  // namespace lbann::compiler::layers

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::layers::TensorOps> =
    std::array<std::string_view, 4>{"default", "no_tensor_ops", "use_tensor_ops",
                                    "use_tensor_ops_allow_conversion"};
