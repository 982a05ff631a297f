// The layer `selu_dropout`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// y = a (x m + alpha' (1 - m)) + b in training, with a random mask m that is 1 with probability q =
/// `keep_prob`, alpha' = -scale alpha, a = (q + alpha'^2 q (1 - q))^-1/2 and b = -a alpha' (1 - q),
/// which keeps mean 0 and variance 1 (Klambauer et al., "Self-Normalizing Neural Networks", 2017);
/// otherwise y = x.
struct selu_dropout {
  static constexpr std::string_view name = "selu_dropout";
  static constexpr std::string_view summary =
      "Dropout that keeps mean and variance, for networks of selu.";
  static constexpr Arity parents{1, 1}, children{1, 1};

  double keep_prob = 0.95;
  double alpha = 1.6732632423543772848170429916717;
  double scale = 1.0507009873554804934193349852946;

  static constexpr auto fields() {
    return std::tuple{
        field("keep_prob", &selu_dropout::keep_prob, "Probability to keep an entry.",
              above_zero_to_one),
        field("alpha", &selu_dropout::alpha, "The alpha of selu."),
        field("scale", &selu_dropout::scale, "The scale of selu.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
