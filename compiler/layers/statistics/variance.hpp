#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The variance of the entries of a sample.
struct variance {
  static constexpr std::string_view name = "variance";
  static constexpr std::string_view summary = "Variance of the entries of a sample.";
  static constexpr std::string_view shapes = "x [n...] -> y [1]";
  static constexpr std::string_view formula =
      "y = sum over i: (x[i] - m)^2 / (n - 1), m the mean of the n entries of the sample\n"
      "with `biased` divided by n";
  static constexpr LayerExample example{"x=10", "- variance: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  bool biased = false;

  static constexpr auto fields() {
    return std::tuple{field("biased", &variance::biased,
                            "Divide by the number of entries instead of that less 1.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
