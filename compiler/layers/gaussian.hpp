// The layer `gaussian`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Output [neuron_dims] of normally distributed numbers, drawn anew for each sample and step.
struct gaussian {
  static constexpr std::string_view name = "gaussian";
  static constexpr std::string_view summary = "Normally distributed random numbers.";
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
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
