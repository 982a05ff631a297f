#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Keeps mean 0 and variance 1 (Klambauer et al., "Self-Normalizing Neural Networks", 2017).
struct selu_dropout {
  static constexpr std::string_view name = "selu_dropout";
  static constexpr std::string_view summary =
      "Dropout that keeps mean and variance, for networks of selu.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "in training: y = a (x m + s (1 - m)) + b, m drawn for each entry, sample and step: 1 "
      "with probability q, else 0\n"
      "  s = -scale alpha, q = keep_prob, a = 1 / sqrt(q + s^2 q (1 - q)), b = -a s (1 - q)\n"
      "otherwise: y = x";
  static constexpr LayerExample example{"x=100", "- selu_dropout: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  double keep_prob = 0.95;
  double alpha = 1.6732632423543772848170429916717;
  double scale = 1.0507009873554804934193349852946;

  static constexpr auto fields() {
    return std::tuple{field("keep_prob", &selu_dropout::keep_prob, "Probability to keep an entry.",
                            above_zero_to_one),
                      field("alpha", &selu_dropout::alpha, "The alpha of selu."),
                      field("scale", &selu_dropout::scale, "The scale of selu.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
