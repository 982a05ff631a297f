#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Ba, Kiros and Hinton, "Layer normalization", 2016.
struct layer_norm {
  static constexpr std::string_view name = "layer_norm";
  static constexpr std::string_view summary =
      "Each sample, or each slice of it, brought to mean 0 and variance 1.";
  static constexpr std::string_view shapes =
      "x [a..., n...] -> y [a..., n...], n... being the axes from `start_dim` on";
  static constexpr std::string_view formula =
      "y[a, i] = scale[i] (x[a, i] - m[a]) / sqrt(v[a] + epsilon) + bias[i]\n"
      "m, v = mean and variance over i of each sample, v divided by the number of entries\n"
      "scale = <layer>_scale [n...], 1 without `scale`; bias = <layer>_bias [n...], 0 without "
      "`bias`";
  static constexpr LayerExample example{
      "x=20x64", "- layer_norm: {name: norm, parents: x, scale: true, bias: true, start_dim: 1}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::wide;
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::scores;

  double epsilon = 1e-5;
  bool scale = false;
  bool bias = false;
  std::int64_t start_dim = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("epsilon", &layer_norm::epsilon, "Added to the variance.", at_least_zero),
        field("scale", &layer_norm::scale, "Multiply each entry by a trained number."),
        field("bias", &layer_norm::bias, "Add a trained number to each entry."),
        field("start_dim", &layer_norm::start_dim,
              "First axis normalised over; negative: counted from the last.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
