#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Uniformly distributed numbers.
struct uniform {
  static constexpr std::string_view name = "uniform";
  static constexpr std::string_view summary = "Uniformly distributed random numbers.";
  static constexpr std::string_view shapes = "-> y [neuron_dims]";
  static constexpr std::string_view formula =
      "y = min + (max - min) u, u uniform in [0, 1), drawn for each entry, sample and step\n"
      "with `training_only` y = (min + max) / 2 outside of training";
  static constexpr LayerExample example{"", "- uniform: {name: noise, neuron_dims: [100]}"};
  static constexpr Arity parents{0, 0}, children{1, 1};

  double min = 0;
  double max = 1;
  std::vector<std::int64_t> neuron_dims;
  bool training_only = false;

  static constexpr auto fields() {
    return std::tuple{
        field("min", &uniform::min, "Lower bound."), field("max", &uniform::max, "Upper bound."),
        field("neuron_dims", &uniform::neuron_dims,
              "Dims of the output; left out: those of the `hint_layer`.", at_least_one),
        field("training_only", &uniform::training_only,
              "Outside of training all are half way between the bounds.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
