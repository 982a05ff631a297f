#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// An affine map of all entries of a sample.
struct fully_connected {
  static constexpr std::string_view name = "fully_connected";
  static constexpr std::string_view summary = "Affine map of all entries of a sample.";
  static constexpr std::string_view shapes = "x [n...] -> y [num_neurons]";
  static constexpr std::string_view formula =
      "y[o] = b[o] + sum over i: W[o, i] x[i], i over all entries of x\n"
      "W = <layer>_linearity_weights [num_neurons, entries of x]; with `transpose` [entries of "
      "x, num_neurons]\n"
      "b = <layer>_bias_weights [num_neurons], with `has_bias`";
  static constexpr LayerExample example{
      "x=1x28x28", "- fully_connected: {name: hidden, parents: x, num_neurons: 100}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::narrow;
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::scores;
  static constexpr bool distributes_weights = true;

  std::int64_t num_neurons = 0;
  bool has_bias = true;
  bool transpose = false;

  static constexpr auto fields() {
    return std::tuple{
        field("num_neurons", &fully_connected::num_neurons,
              "Entries of the output; left out: those of the `hint_layer`.", at_least_one),
        field("has_bias", &fully_connected::has_bias,
              "Add a trained number to each output (LBANN's prototext leaves it out by default)."),
        field("transpose", &fully_connected::transpose,
              "Keep the linearity as [inputs, outputs] instead of [outputs, inputs].")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
