// Gradient of a convolution with respect to its kernel.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs x [batch, c, spatial...], dy [batch, o, spatial'...]; output dkernel [o, c/groups,
/// extent...], summed over the mini-batch.
struct convolution_kernel_gradient {
  static constexpr std::string_view name = "convolution_kernel_gradient";
  static constexpr std::string_view summary =
      "Gradient of a convolution with respect to its kernel.";

  std::vector<std::int64_t> stride;    ///< one per spatial axis
  std::vector<std::int64_t> padding;   ///< zeros on both sides, one per spatial axis
  std::vector<std::int64_t> dilation;  ///< one per spatial axis
  std::int64_t groups = 1;
  std::vector<std::int64_t>
      extent;  ///< spatial extents of the output, which the inputs do not tell

  static constexpr auto fields() {
    return std::tuple{
        field("stride", &convolution_kernel_gradient::stride,
              "Step of the window along each spatial axis.", Presence::required),
        field("padding", &convolution_kernel_gradient::padding,
              "Zeros on both sides of each spatial axis.", Presence::required),
        field("dilation", &convolution_kernel_gradient::dilation,
              "Distance of the window's taps along each spatial axis.", Presence::required),
        field("groups", &convolution_kernel_gradient::groups,
              "Channel groups that do not see each other."),
        field("extent", &convolution_kernel_gradient::extent, "Spatial extents of the result.",
              Presence::required)};
  }

  friend bool operator==(convolution_kernel_gradient const&,
                         convolution_kernel_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  static void backward(convolution_kernel_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples) const;
};

}  // namespace lbann::operators
