#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Normally distributed numbers.
struct gaussian {
  static constexpr std::string_view name = "gaussian";
  static constexpr std::string_view summary = "Normally distributed random numbers.";
  static constexpr std::string_view shapes = "-> y [neuron_dims]";
  static constexpr std::string_view formula =
      "y = mean + stdev e, e standard normal, drawn for each entry, sample and step\n"
      "with `training_only` y = mean outside of training";
  static constexpr LayerExample example{"", "- gaussian: {name: noise, neuron_dims: [100]}"};
  static constexpr Arity parents{0, 0}, children{1, 1};

  double mean = 0;
  double stdev = 1;
  std::vector<std::int64_t> neuron_dims;
  bool training_only = false;

  static constexpr auto fields() {
    return std::tuple{
        field("mean", &gaussian::mean, "Mean."),
        field("stdev", &gaussian::stdev, "Standard deviation.", at_least_zero),
        field("neuron_dims", &gaussian::neuron_dims,
              "Dims of the output; left out: those of the `hint_layer`.", at_least_one),
        field("training_only", &gaussian::training_only, "Outside of training all are `mean`.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
