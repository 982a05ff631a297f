#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Zhang and Sennrich, "Root mean square layer normalization", NeurIPS 2019.
struct rms_norm {
  static constexpr std::string_view name = "rms_norm";
  static constexpr std::string_view summary =
      "Each sample, or each slice of it, divided by its root mean square.";
  static constexpr std::string_view shapes =
      "x [a..., n...] -> y [a..., n...], n... being the axes from `start_dim` on";
  static constexpr std::string_view formula =
      "y[a, i] = scale[i] x[a, i] / sqrt(mean over j: x[a, j]^2 + epsilon)\n"
      "scale = <layer>_scale [n...], 1 without `scale`";
  static constexpr LayerExample example{
      "x=20x64", "- rms_norm: {name: norm, parents: x, scale: true, start_dim: 1}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::wide;
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::scores;

  double epsilon = 1e-5;
  bool scale = false;
  std::int64_t start_dim = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("epsilon", &rms_norm::epsilon, "Added to the mean of squares.", at_least_zero),
        field("scale", &rms_norm::scale, "Multiply each entry by a trained number."),
        field("start_dim", &rms_norm::start_dim,
              "First axis normalised over; negative: counted from the last.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
