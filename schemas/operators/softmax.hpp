// Softmax over neighbouring axes.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Input x; output y of the same type: exp(x - max) / sum over the axes from `axis` to the last but
/// `inner`, by default over all but the first axis (LBANN's softmax is over the whole sample).
struct softmax {
  static constexpr std::string_view name = "softmax";
  static constexpr std::string_view summary =
      "Scores to probabilities that sum to one over some axes.";

  bool logarithm = false;  ///< log(softmax), never clamped
  double minimum = 0;      ///< probabilities below are raised to it and get no gradient
  std::int64_t axis = 1;   ///< first of the axes normalised over
  std::int64_t inner = 0;  ///< axes after the last of them

  static constexpr auto fields() {
    return std::tuple{
        field("logarithm", &softmax::logarithm, "Work on the logarithm of the probabilities."),
        field("minimum", &softmax::minimum, "Lower clamp of the probabilities."),
        field("axis", &softmax::axis, "First of the axes normalised over."),
        field("inner", &softmax::inner, "Number of axes after the last of them.")};
  }

  friend bool operator==(softmax const&, softmax const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(softmax const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
