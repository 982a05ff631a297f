// Softmax and cross entropy in one, stable for any scores.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs x [batch, ...] scores, t of the same shape; outputs p = softmax(x) clamped at `minimum`,
/// and loss [batch, 1] = - sum t log p, terms with t = 0 left out.
struct softmax_cross_entropy {
  static constexpr std::string_view name = "softmax_cross_entropy";
  static constexpr std::string_view summary = "Softmax and cross entropy in one pass.";

  /// What cross entropy sums over a sample, of operands p and t: -t log p, 0 where t is 0. A sum of
  /// this after a softmax is what the operator stands for.
  static Expression term();

  double minimum = 0;  ///< probabilities below are raised to it and get no gradient

  static constexpr auto fields() {
    return std::tuple{
        field("minimum", &softmax_cross_entropy::minimum, "Lower clamp of the probabilities.")};
  }

  friend bool operator==(softmax_cross_entropy const&, softmax_cross_entropy const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(softmax_cross_entropy const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
