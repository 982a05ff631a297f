// Gradient of a convolution with respect to its input.
#pragma once

#include "schemas/operators/kernel_steps.hpp"

namespace lbann::operators {

/// Inputs dy [batch, o, spatial'...], kernel [o, c/groups, k...]; output dx [batch, c, extent...].
struct convolution_input_gradient : KernelSteps {
  static constexpr std::string_view name = "convolution_input_gradient";
  static constexpr std::string_view summary =
      "Gradient of a convolution with respect to its input.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::narrowed;

  std::vector<std::int64_t>
      extent;  ///< spatial extents of the output, which the inputs do not tell

  static constexpr auto fields() {
    return std::tuple_cat(step_fields(),
                          std::tuple{field("extent", &convolution_input_gradient::extent,
                                           "Spatial extents of the result.", Presence::required)});
  }

  friend bool operator==(convolution_input_gradient const&,
                         convolution_input_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(convolution_input_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
