// Pooling over spatial windows.
#pragma once

#include "schemas/operators/pooling_window.hpp"

namespace lbann::operators {

/// Input x [batch, c, spatial...]; output y [batch, c, spatial'...] with
/// spatial' = floor((spatial + 2 padding - window) / stride) + 1. `average` counts padding, `max`
/// ignores it.
struct pooling : PoolingWindow {
  static constexpr std::string_view name = "pooling";
  static constexpr std::string_view summary = "Maximum or mean of spatial windows.";

  friend bool operator==(pooling const&, pooling const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(pooling const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
