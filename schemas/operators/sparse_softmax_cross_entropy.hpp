// Softmax and cross entropy of classes that labels name, without a tensor of probabilities.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs x [batch, ...] scores of the classes along `axis`, and labels of that shape with an
/// extent of 1 there, rounded down; outputs, of the shape of labels, loss = - log
/// max(softmax(x)[label], minimum), which is 0 where the label names no class, and log_sum =
/// log(sum of exp(x)), which the gradient computes probabilities from.
struct sparse_softmax_cross_entropy {
  static constexpr std::string_view name = "sparse_softmax_cross_entropy";
  static constexpr std::string_view summary =
      "Softmax and cross entropy of classes that labels name; probabilities are not stored.";

  /// What cross entropy sums over a sample, of operands p, the label and the number of the class:
  /// -log p of the class that the label names. A sum of this after a softmax is what the operator
  /// stands for.
  static Expression term();

  std::int64_t axis = 1;
  double minimum = 0;  ///< probabilities below are raised to it and get no gradient

  static constexpr auto fields() {
    return std::tuple{field("axis", &sparse_softmax_cross_entropy::axis, "Axis of the classes."),
                      field("minimum", &sparse_softmax_cross_entropy::minimum,
                            "Lower clamp of the probabilities.")};
  }

  friend bool operator==(sparse_softmax_cross_entropy const&,
                         sparse_softmax_cross_entropy const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(sparse_softmax_cross_entropy const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
