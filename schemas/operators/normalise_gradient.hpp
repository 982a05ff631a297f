// Gradient of normalise.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs x, the mean of each row, 1 / sqrt(variance + epsilon) of each row, dy, and `scale` if
/// there is one. Outputs dx; where asked for the gradient of `scale`, sum over rows of dy times the
/// normalised x, and of `bias`, sum over rows of dy.
struct normalise_gradient {
  static constexpr std::string_view name = "normalise_gradient";
  static constexpr std::string_view summary = "Gradient of normalise with respect to all inputs.";

  std::int64_t axis = 1;  ///< first axis of a row
  bool scale = false;     ///< there is an input `scale`, and an output for its gradient
  bool bias = false;      ///< there is an output for the gradient of `bias`

  static constexpr auto fields() {
    return std::tuple{
        field("axis", &normalise_gradient::axis, "First axis of a row."),
        field("scale", &normalise_gradient::scale, "Whether entries were scaled."),
        field("bias", &normalise_gradient::bias, "Whether something was added to entries.")};
  }

  friend bool operator==(normalise_gradient const&, normalise_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(normalise_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
