// Gradient of softmax.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Inputs y (softmax's output), dy; output dx = y (dy - sum(y dy)), or dy - exp(y) sum(dy) for the
/// logarithm, sums over the axes of softmax; zero where y was clamped.
struct softmax_gradient {
  static constexpr std::string_view name = "softmax_gradient";
  static constexpr std::string_view summary = "Gradient of softmax with respect to its input.";
  static constexpr bool in_place = true;

  bool logarithm = false;  ///< log(softmax), never clamped
  double minimum = 0;      ///< probabilities below are raised to it and get no gradient
  std::int64_t axis = 1;   ///< first of the axes normalised over
  std::int64_t inner = 0;  ///< axes after the last of them

  static constexpr auto fields() {
    return std::tuple{
        field("logarithm", &softmax_gradient::logarithm,
              "Work on the logarithm of the probabilities."),
        field("minimum", &softmax_gradient::minimum, "Lower clamp of the probabilities."),
        field("axis", &softmax_gradient::axis, "First of the axes normalised over."),
        field("inner", &softmax_gradient::inner, "Number of axes after the last of them.")};
  }

  friend bool operator==(softmax_gradient const&, softmax_gradient const&) = default;

  Result<TensorTypes> infer(std::span<TensorType const> inputs) const;
  Loops loops(Signature const& signature) const;
  static void backward(softmax_gradient const& op, BackwardContext& context);
  std::int64_t flops(Signature const& signature, std::int64_t samples) const;
  std::int64_t scratch_bytes(Signature const& signature, std::int64_t samples,
                             std::int64_t threads) const;
};

}  // namespace lbann::operators
