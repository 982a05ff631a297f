#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Ulyanov, Vedaldi and Lempitsky, "Instance normalization", 2016, without its affine map.
struct instance_norm {
  static constexpr std::string_view name = "instance_norm";
  static constexpr std::string_view summary =
      "Each channel of a sample brought to mean 0 and variance 1.";
  static constexpr std::string_view shapes = "x [c, n...] -> y [c, n...]";
  static constexpr std::string_view formula =
      "y[c, i] = (x[c, i] - m[c]) / sqrt(v[c] + epsilon)\n"
      "m, v = mean and variance over i of each sample, v divided by the number of positions";
  static constexpr LayerExample example{"x=3x8x8", "- instance_norm: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::scores;

  double epsilon = 1e-5;

  static constexpr auto fields() {
    return std::tuple{
        field("epsilon", &instance_norm::epsilon, "Added to the variance.", at_least_zero)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
