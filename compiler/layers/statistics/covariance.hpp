#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The covariance of the entries of two samples.
struct covariance {
  static constexpr std::string_view name = "covariance";
  static constexpr std::string_view summary = "Covariance of the entries of two samples.";
  static constexpr std::string_view shapes = "x [n...], y [n...] -> z [1]";
  static constexpr std::string_view formula =
      "z = sum over i: (x[i] - mx) (y[i] - my) / (n - 1), mx and my the means of the n entries "
      "of the samples\n"
      "with `biased` divided by n";
  static constexpr LayerExample example{"a=10 b=10", "- covariance: {parents: [a, b]}"};
  static constexpr Arity parents{2, 2}, children{1, 1};

  bool biased = false;

  static constexpr auto fields() {
    return std::tuple{field("biased", &covariance::biased,
                            "Divide by the number of entries instead of that less 1.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
