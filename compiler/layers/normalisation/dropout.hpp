#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Zeroes entries at random in training and scales the others up.
struct dropout {
  static constexpr std::string_view name = "dropout";
  static constexpr std::string_view summary =
      "Zeroes entries at random in training and scales the others up.";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "in training: y = x m / keep_prob, m drawn for each entry, sample and step: 1 with "
      "probability keep_prob, else 0\n"
      "otherwise, and with a negative keep_prob: y = x";
  static constexpr LayerExample example{"x=100", "- dropout: {parents: x, keep_prob: 0.8}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  double keep_prob = 0.5;

  static constexpr auto fields() {
    return std::tuple{field("keep_prob", &dropout::keep_prob,
                            "Probability to keep an entry; kept ones are divided by it. Negative: "
                            "all are kept.",
                            Range{.most = 1})};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
