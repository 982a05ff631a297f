#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// The same affine map of all entries of each channel.
struct channelwise_fully_connected {
  static constexpr std::string_view name = "channelwise_fully_connected";
  static constexpr std::string_view summary = "The same affine map of all entries of each channel.";
  static constexpr std::string_view shapes = "x [c, n...] -> y [c, output_channel_dims]";
  static constexpr std::string_view formula =
      "y[c, o] = b[o] + sum over i: W[o, i] x[c, i], i over all entries of a channel of x, o "
      "over those of y\n"
      "W = <layer>_linearity_weights [entries of y[c], entries of x[c]]; with `transpose` "
      "[entries of x[c], entries of y[c]]\n"
      "b = <layer>_bias_weights [entries of y[c]], with `bias`";
  static constexpr LayerExample example{
      "x=10x64",
      "- channelwise_fully_connected: {name: projection, parents: x, output_channel_dims: [32]}"};
  static constexpr auto in_mixed_precision = InMixedPrecision::narrow;
  static constexpr Arity parents{1, 1}, children{1, 1};
  static constexpr Values gives = Values::scores;
  static constexpr bool distributes_weights = true;

  std::vector<std::int64_t> output_channel_dims;
  bool bias = true;
  bool transpose = false;

  static constexpr auto fields() {
    return std::tuple{
        field("output_channel_dims", &channelwise_fully_connected::output_channel_dims,
              "Dims of each channel of the output.", Presence::required, {}, at_least_one),
        field("bias", &channelwise_fully_connected::bias, "Add a trained number to each output."),
        field("transpose", &channelwise_fully_connected::transpose,
              "Keep the linearity as [inputs, outputs] instead of [outputs, inputs].")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  std::vector<WeightsRole> weights(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
