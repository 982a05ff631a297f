// Gradient of softmax with cross entropy.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs p, t, dloss [batch, 1]; output dx = dloss (p sum(t') - t') where clamped entries of p get
/// no gradient and t' is t without them: the same as the two gradients one after the other.
struct softmax_cross_entropy_gradient {
  static constexpr std::string_view name = "softmax_cross_entropy_gradient";
  static constexpr std::string_view summary =
      "Gradient of softmax with cross entropy with respect to the scores.";
  static constexpr bool in_place = true;

  double minimum = 0;  ///< probabilities below are raised to it and get no gradient

  static constexpr auto fields() {
    return std::tuple{field("minimum", &softmax_cross_entropy_gradient::minimum,
                            "Lower clamp of the probabilities.")};
  }

  friend bool operator==(softmax_cross_entropy_gradient const&,
                         softmax_cross_entropy_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(softmax_cross_entropy_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
