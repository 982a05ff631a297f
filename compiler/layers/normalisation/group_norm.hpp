#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Wu and He, "Group normalization", ECCV 2018.
struct group_norm {
  static constexpr std::string_view name = "group_norm";
  static constexpr std::string_view summary =
      "Groups of channels of a sample brought to mean 0 and variance 1.";
  static constexpr std::string_view shapes = "x [c, n...] -> y [c, n...]";
  static constexpr std::string_view formula =
      "y[c, i] = scale[c] (x[c, i] - m[g]) / sqrt(v[g] + epsilon) + bias[c]\n"
      "g = the group of channel c; m, v = mean and variance of all entries of its channels, "
      "v divided by their number\n"
      "scale, bias = <layer>_scale [c], <layer>_bias [c]; 1 and 0 without these";
  static constexpr LayerExample example{"x=4x8x8",
                                        "- group_norm: {name: norm, parents: x, num_groups: 2}"};
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::scores;

  std::int64_t num_groups = 0;
  double epsilon = 1e-5;
  bool scale = true, bias = true;

  static constexpr auto fields() {
    return std::tuple{
        field("num_groups", &group_norm::num_groups,
              "Groups of neighbouring channels; divides their number. 1 is layer norm, one group a "
              "channel instance norm.",
              at_least_one, Presence::required),
        field("epsilon", &group_norm::epsilon, "Added to the variance.", at_least_zero),
        field("scale", &group_norm::scale, "Multiply each channel by a trained number."),
        field("bias", &group_norm::bias, "Add a trained number to each channel.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
