// Pooling over spatial windows.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

enum class PoolMode : std::uint8_t { max, average, average_no_pad };

/// Input x [batch, c, spatial...]; output y [batch, c, spatial'...] with
/// spatial' = floor((spatial + 2 padding - window) / stride) + 1. `average` counts padding, `max`
/// ignores it.
struct pooling {
  static constexpr std::string_view name = "pooling";
  static constexpr std::string_view summary = "Maximum or mean of spatial windows.";

  PoolMode mode = PoolMode::max;
  std::vector<std::int64_t> window;
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;

  static constexpr auto fields() {
    return std::tuple{
        field("mode", &pooling::mode, "How a window becomes one value."),
        field("window", &pooling::window, "Extents of the window.", Presence::required),
        field("stride", &pooling::stride, "Step along each spatial axis.", Presence::required),
        field("padding", &pooling::padding, "Margin on both sides of each spatial axis.",
              Presence::required)};
  }

  friend bool operator==(pooling const&, pooling const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  static void backward(pooling const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples) const;
};

}  // namespace lbann::operators

template <>
inline constexpr auto lbann::enum_names<lbann::operators::PoolMode> =
    std::array<std::string_view, 3>{"max", "average", "average_no_pad"};
