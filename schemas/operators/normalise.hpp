// Rows brought to mean 0 and variance 1, with an affine map of their entries.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs x; `scale` and `bias` of the shape of a row, x's axes from `axis` on, where there are
/// any. Outputs y = (x - mean) / sqrt(variance + epsilon) * scale + bias, with the mean and the
/// biased variance of each row; these means; and 1 / sqrt(variance + epsilon). All are of x's type.
/// The gradient goes through y alone.
struct normalise {
  static constexpr std::string_view name = "normalise";
  static constexpr std::string_view summary =
      "Rows with mean 0 and variance 1, and an affine map of their entries.";

  std::int64_t axis = 1;  ///< first axis of a row
  double epsilon = 1e-5;  ///< added to the variance
  bool scale = false;     ///< there is an input `scale`
  bool bias = false;      ///< there is an input `bias`

  static constexpr auto fields() {
    return std::tuple{field("axis", &normalise::axis, "First axis of a row."),
                      field("epsilon", &normalise::epsilon, "Added to the variance."),
                      field("scale", &normalise::scale, "Whether entries are scaled."),
                      field("bias", &normalise::bias, "Whether something is added to entries.")};
  }

  friend bool operator==(normalise const&, normalise const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(normalise const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
