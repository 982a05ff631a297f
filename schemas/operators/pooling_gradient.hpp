// Gradient of pooling.
#pragma once

#include "schemas/operators/pooling_window.hpp"

namespace lbann::operators {

/// Inputs x (of the forward pass), dy; output dx of x's shape. The gradient of a maximum goes to
/// the first entry of the window that equals it.
struct pooling_gradient : PoolingWindow {
  static constexpr std::string_view name = "pooling_gradient";
  static constexpr std::string_view summary = "Gradient of pooling with respect to its input.";

  friend bool operator==(pooling_gradient const&, pooling_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(pooling_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
