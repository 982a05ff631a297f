// Gradient of softmax and cross entropy of classes that labels name.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs x and labels of `sparse_softmax_cross_entropy`, its outputs loss and log_sum, and dloss,
/// of the shape of labels; output dx = dloss (exp(x - log_sum) - 1 of the class that the label
/// names). Rows without such a class get none, nor do those whose loss is -log `minimum`, nor other
/// entries whose probability is below `minimum`.
struct sparse_softmax_cross_entropy_gradient {
  static constexpr std::string_view name = "sparse_softmax_cross_entropy_gradient";
  static constexpr std::string_view summary =
      "Gradient of softmax and cross entropy of classes that labels name.";
  static constexpr bool in_place = true;

  std::int64_t axis = 1;
  double minimum = 0;  ///< probabilities below were raised to it

  static constexpr auto fields() {
    return std::tuple{
        field("axis", &sparse_softmax_cross_entropy_gradient::axis, "Axis of the classes."),
        field("minimum", &sparse_softmax_cross_entropy_gradient::minimum,
              "Lower clamp of the probabilities.")};
  }

  friend bool operator==(sparse_softmax_cross_entropy_gradient const&,
                         sparse_softmax_cross_entropy_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(sparse_softmax_cross_entropy_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
