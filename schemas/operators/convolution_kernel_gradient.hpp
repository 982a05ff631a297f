// Gradient of a convolution with respect to its kernel.
#pragma once

#include "schemas/operators/kernel_steps.hpp"

namespace lbann::operators {

/// Inputs x [batch, c, spatial...], dy [batch, o, spatial'...]; output dkernel [o, c/groups,
/// extent...], summed over the mini-batch.
struct convolution_kernel_gradient : KernelSteps {
  static constexpr std::string_view name = "convolution_kernel_gradient";
  static constexpr std::string_view summary =
      "Gradient of a convolution with respect to its kernel.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::narrowed;

  std::vector<std::int64_t>
      extent;  ///< spatial extents of the output, which the inputs do not tell

  static constexpr auto fields() {
    return std::tuple_cat(step_fields(),
                          std::tuple{field("extent", &convolution_kernel_gradient::extent,
                                           "Spatial extents of the result.", Presence::required)});
  }

  friend bool operator==(convolution_kernel_gradient const&,
                         convolution_kernel_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(convolution_kernel_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
