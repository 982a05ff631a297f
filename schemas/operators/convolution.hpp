// Cross-correlation over spatial axes, followed by an optional map.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs x [batch, c, spatial...], kernel [o, c/groups, k...], then the epilogue's operands beyond
/// its first, broadcast to y; outputs of y's shape [batch, o, spatial'...] with spatial' =
/// floor((spatial + 2 padding - dilation (k - 1) - 1) / stride) + 1.
struct convolution {
  static constexpr std::string_view name = "convolution";
  static constexpr std::string_view summary = "Cross-correlation over one to three spatial axes.";

  std::vector<std::int64_t> stride;    ///< one per spatial axis
  std::vector<std::int64_t> padding;   ///< zeros on both sides, one per spatial axis
  std::vector<std::int64_t> dilation;  ///< one per spatial axis
  std::int64_t groups = 1;
  Expression epilogue;
  std::vector<DataType> types;  ///< of the epilogue's outputs; empty without epilogue

  static constexpr auto fields() {
    return std::tuple{
        field("stride", &convolution::stride, "Step of the window along each spatial axis.",
              Presence::required),
        field("padding", &convolution::padding, "Zeros on both sides of each spatial axis.",
              Presence::required),
        field("dilation", &convolution::dilation,
              "Distance of the window's taps along each spatial axis.", Presence::required),
        field("groups", &convolution::groups, "Channel groups that do not see each other."),
        field("epilogue", &convolution::epilogue, "Map of the result; empty for none."),
        field("types", &convolution::types, "Types of the epilogue's outputs.")};
  }

  friend bool operator==(convolution const&, convolution const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  static void backward(convolution const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples) const;
};

}  // namespace lbann::operators
