// The layer `channelwise_fully_connected`.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// y[c] = W vec(x[c]) + b for each channel: input [c, ...], output [c, output_channel_dims...].
/// Weights: `<layer>_linearity_weights` [outputs, inputs] of a channel, in C order (transpose:
/// [inputs, outputs]), He normal; `<layer>_bias_weights` [outputs], zero.
struct channelwise_fully_connected {
  static constexpr std::string_view name = "channelwise_fully_connected";
  static constexpr std::string_view summary = "The same affine map of all entries of each channel.";
  static constexpr Arity parents{1, 1}, children{1, 1};

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
  void lower(Lowering& lowering) const;
};

}  // namespace lbann::compiler::layers
