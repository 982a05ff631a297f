// Cross-correlation over spatial axes, followed by an optional map.
#pragma once

#include "schemas/operators/kernel_steps.hpp"

namespace lbann::operators {

/// Inputs x [batch, c, spatial...], kernel [o, c/groups, k...], then the epilogue's operands beyond
/// its first, broadcast to y; outputs of y's shape [batch, o, spatial'...] with spatial' =
/// floor((spatial + 2 padding - dilation (k - 1) - 1) / stride) + 1.
struct convolution : KernelSteps {
  static constexpr std::string_view name = "convolution";
  static constexpr std::string_view summary = "Cross-correlation over one to three spatial axes.";
  static constexpr auto sixteen_bit_inputs = SixteenBitInputs::narrowed;

  Expression epilogue;
  std::vector<DataType> types;  ///< of the epilogue's outputs; empty without epilogue

  static constexpr auto fields() {
    return std::tuple_cat(
        step_fields(),
        std::tuple{field("epilogue", &convolution::epilogue, "Map of the result; empty for none."),
                   field("types", &convolution::types, "Types of the epilogue's outputs.")});
  }

  friend bool operator==(convolution const&, convolution const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(convolution const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
